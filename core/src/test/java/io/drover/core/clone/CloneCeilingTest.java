// SPDX-License-Identifier: Apache-2.0
package io.drover.core.clone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CloneCeilingTest {
  private final CloneCeiling ceiling = new CloneCeiling(0.7, 0.05);

  @Test
  void admitsBelowOnly() {
    assertThat(ceiling.admits(0.69)).isTrue();
    assertThat(ceiling.admits(0.7)).isFalse();
    assertThat(ceiling.isAbove(0.7)).isFalse();
    assertThat(ceiling.isAbove(0.71)).isTrue();
  }

  @Test
  void closesAboveAndOpensWellBelow() {
    assertThat(ceiling.observe(0.71, false)).isFalse();
    assertThat(ceiling.admits(0.5)).isFalse();
    assertThat(ceiling.observe(0.66, false)).isFalse();
    assertThat(ceiling.observe(0.65, false)).isTrue();
    assertThat(ceiling.admits(0.66)).isTrue();
  }

  @Test
  void closesWhenClonesGaveWay() {
    assertThat(ceiling.observe(0.1, true)).isFalse();
    assertThat(ceiling.observe(0.1, false)).isTrue();
  }

  @Test
  void refusesAnImpossibleCeiling() {
    assertThatThrownBy(() -> new CloneCeiling(1.1, 0))
        .hasMessageContaining("tau must lie in (0,1], was 1.1");
  }
}
