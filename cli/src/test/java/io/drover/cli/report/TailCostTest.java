// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TailCostTest {
  @Test
  void loneStragglerIsChargedTheWholeTail() {
    assertThat(TailCost.of(new double[] {10, 11, 40}, new double[] {10, 11, 12}))
        .containsExactly(0, 0, 28);
  }

  @Test
  void secondsInWhichSeveralWereLateAreDividedAmongThem() {
    assertThat(TailCost.of(new double[] {10, 30, 40}, new double[] {10, 12, 12}))
        .containsExactly(0, 9, 19);
  }

  @Test
  void stragglerThatEndsBeforeTheOthersWouldHaveCostsNothing() {
    assertThat(TailCost.of(new double[] {50, 40}, new double[] {50, 10})).containsExactly(0, 0);
  }

  @Test
  void phaseWithoutTasksCostsNothing() {
    assertThat(TailCost.of(new double[0], new double[0])).isEmpty();
  }

  @Test
  void sharesAddUpToTheTimeThatWasLost() {
    Random random = new Random(7);
    for (int round = 0; round < 200; round++) {
      double[] usual = random.doubles(1 + random.nextInt(20), 0, 10).toArray();
      double[] ends =
          Arrays.stream(usual)
              .map(end -> random.nextInt(3) == 0 ? end + 20 * random.nextDouble() : end)
              .toArray();
      double lost =
          Arrays.stream(ends).max().orElseThrow() - Arrays.stream(usual).max().orElseThrow();

      double[] costs = TailCost.of(ends, usual);

      assertThat(Arrays.stream(costs).sum()).isCloseTo(lost, within(1e-9));
      assertThat(Arrays.stream(costs)).allMatch(cost -> cost >= 0);
    }
  }
}
