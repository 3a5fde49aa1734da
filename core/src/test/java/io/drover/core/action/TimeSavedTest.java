// SPDX-License-Identifier: Apache-2.0
package io.drover.core.action;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimeSavedTest {
  @Test
  void taskWouldHaveTakenWhatItsAttemptStillNeeded() {
    assertThat(TimeSaved.expectedMillis(70, 10)).isEqualTo(70_000);
  }

  @Test
  void attemptThatStandsStillCountsAsTenNewOnes() {
    assertThat(TimeSaved.expectedMillis(Double.POSITIVE_INFINITY, 10)).isEqualTo(100_000);
    assertThat(TimeSaved.expectedMillis(1e8, 10)).isEqualTo(100_000);
  }

  @Test
  void whatIsNotKnownSavesNothing() {
    assertThat(TimeSaved.expectedMillis(Double.NaN, 10)).isZero();
    assertThat(TimeSaved.expectedMillis(Double.POSITIVE_INFINITY, Double.NaN)).isZero();
    assertThat(TimeSaved.expectedMillis(-1, 10)).isZero();
    assertThat(TimeSaved.expectedMillis(30, Double.NaN)).isEqualTo(30_000);
  }
}
