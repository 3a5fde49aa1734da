// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PassPaceTest {
  private final PassPace pace = new PassPace();

  private long after(long... passes) {
    for (long pass : passes) {
      pace.took(pass);
    }
    return pace.periodMillis(250);
  }

  @Test
  void slowPassesTakeATwentiethOfTheTime() {
    assertThat(after(50, 50)).isEqualTo(1000);
    assertThat(after(2, 3)).isEqualTo(250);
  }

  @Test
  void oneSlowPassDelaysNothing() {
    assertThat(after(1500)).as("the first one").isEqualTo(250);
    assertThat(after(5)).isEqualTo(250);
    assertThat(after(30_000)).as("one that was stopped").isEqualTo(250);
    assertThat(after(20)).isEqualTo(400);
  }
}
