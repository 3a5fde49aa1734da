// SPDX-License-Identifier: Apache-2.0
package io.drover.core.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ActionTotalsTest {
  private static final ActionTotals EARLIER =
      ActionTotals.launched(3).plus(ActionTotals.settled(1, 1, 500, 700));

  @Test
  void differenceIsWhatWasAdded() {
    ActionTotals more = new ActionTotals(2, 1, 0, 40, 50);
    assertThat(EARLIER.plus(more).since(EARLIER)).isEqualTo(more);
  }

  @Test
  void sumDoesNotOverflow() {
    ActionTotals most = new ActionTotals(9, 1, 1, Long.MAX_VALUE - 600, Long.MAX_VALUE - 700);
    assertThat(most.plus(EARLIER))
        .isEqualTo(new ActionTotals(12, 2, 2, Long.MAX_VALUE - 100, Long.MAX_VALUE));
    assertThat(most.plus(EARLIER).plus(EARLIER).wastedMillis()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void sumThatFellIsRefused() {
    assertThat(EARLIER.isLaterThan(EARLIER)).isTrue();
    assertThat(new ActionTotals(4, 1, 1, 499, 700).isLaterThan(EARLIER)).isFalse();
    assertThatThrownBy(() -> new ActionTotals(4, 1, 1, 499, 700).since(EARLIER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("launched 1, won 0, lost 0, wasted -1 ms, saved 0 ms; allowed: 0 and more");
  }
}
