// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SlowMachineRuleTest {
  @Test
  void slowIsWhatIsMuchWorseThanTheClusterAndBadEnoughToMatter() {
    SlowMachineRule rule = SlowMachineRule.DEFAULT;
    assertThat(rule.isSlow(0.5, 0.2)).isTrue();
    assertThat(rule.isSlow(0.3, 0.2)).isFalse();
    assertThat(rule.isSlow(0.05, 0.001)).isFalse();
    assertThat(rule.isSlow(0.1, 0.001)).isTrue();
    assertThat(rule.isSlow(1, 0.5)).isTrue();
  }

  @Test
  void rulesOutOfRangeAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new SlowMachineRule(1, 0.1));
    assertThatIllegalArgumentException().isThrownBy(() -> new SlowMachineRule(2, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new SlowMachineRule(2, Double.NaN));
  }
}
