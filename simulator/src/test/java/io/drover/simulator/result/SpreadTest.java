// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {

  @Test
  void theMedianOfAnEvenNumberIsBetweenTheMiddleTwo() {
    assertThat(Spread.of(List.of(4.0, 1.0, 3.0, 2.0))).contains(new Spread(1, 2.5, 4));
    assertThat(Spread.of(List.of())).isEmpty();
  }

  @Test
  void theMedianRunIsOneThatWasRun() {
    assertThat(Spread.indexOfMedian(new double[] {9, 1, 5})).isEqualTo(2);
    assertThat(Spread.indexOfMedian(new double[] {4, 1, 3, 2})).isEqualTo(3);
  }
}
