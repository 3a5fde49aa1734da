// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.apache.commons.math3.distribution.LogNormalDistribution;
import org.junit.jupiter.api.Test;

class LogNormalTest {
  @Test
  void itFindsTheDistributionThatItsObservationsCameFrom() {
    Random random = new Random(1);
    LogNormal learnt = new LogNormal();
    for (int i = 0; i < 20_000; i++) {
      learnt.add(Math.exp(2 + 0.7 * random.nextGaussian()));
    }
    LogNormalDistribution right = new LogNormalDistribution(2, 0.7);
    for (double seconds : new double[] {1, 5, 10, 20, 40}) {
      assertThat(learnt.survival(seconds))
          .isCloseTo(1 - right.cumulativeProbability(seconds), within(0.01));
    }
    assertThat(learnt.count()).isEqualTo(20_000);
  }

  @Test
  void fewThatAreEqualDoNotMakeTheNextOneImpossible() {
    LogNormal learnt = new LogNormal();
    assertThat(learnt.survival(100)).as("nothing is known").isEqualTo(1);
    for (int i = 0; i < 3; i++) {
      learnt.add(4);
    }
    assertThat(learnt.survival(4)).isCloseTo(0.5, within(1e-9));
    assertThat(learnt.survival(6)).isBetween(0.05, 0.2);
    assertThat(learnt.survival(12)).isLessThan(0.01);
  }

  @Test
  void timesThatAreNoTimesAreTheShortest() {
    LogNormal learnt = new LogNormal();
    learnt.add(0);
    learnt.add(-3);
    assertThat(learnt.survival(0)).isEqualTo(1);
    assertThat(learnt.survival(0.1)).isCloseTo(0.5, within(1e-9));
    assertThat(LogNormal.survivalOfRatio(0)).isEqualTo(1);
    assertThat(LogNormal.survivalOfRatio(1)).isEqualTo(0.5);
  }
}
