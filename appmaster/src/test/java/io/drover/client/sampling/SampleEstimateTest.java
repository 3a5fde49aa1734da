// SPDX-License-Identifier: Apache-2.0
package io.drover.client.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SampleEstimateTest {
  /** By hand: mean 20, s 10, t of 2 degrees at 97.5 % 4.3027, 30 blocks. */
  @Test
  void intervalIsThatOfTheTextbook() {
    SampleEstimate estimate = SampleEstimate.of(new double[] {10, 20, 30}, 30, 0.95);
    assertThat(estimate.total()).isEqualTo(600);
    assertThat(estimate.halfWidth()).isCloseTo(4.3027 * 30 * 10 * Math.sqrt(0.9 / 3), within(0.01));
    assertThat(estimate.high() - estimate.low()).isCloseTo(2 * estimate.halfWidth(), within(1e-9));
    assertThat(estimate).hasToString("600, 95 % sure within -107 to 1307");
  }

  @Test
  void wholeInputHasNoError() {
    assertThat(SampleEstimate.of(new double[] {1, 5, 6}, 3, 0.9))
        .isEqualTo(new SampleEstimate(12, 0, 0.9));
    assertThat(SampleEstimate.of(new double[] {7}, 1, 0.9).total()).isEqualTo(7);
  }

  @Test
  void ninetyOfAHundredIntervalsContainTheTruth() {
    Random random = new Random(5);
    double[] blocks = random.doubles(200, 0, 100).toArray();
    double truth = Arrays.stream(blocks).sum();
    int hits = 0;
    int samples = 2000;
    for (int i = 0; i < samples; i++) {
      double[] drawn =
          random.ints(0, blocks.length).distinct().limit(40).mapToDouble(b -> blocks[b]).toArray();
      SampleEstimate estimate = SampleEstimate.of(drawn, blocks.length, 0.9);
      hits += estimate.low() <= truth && truth <= estimate.high() ? 1 : 0;
    }
    assertThat((double) hits / samples).isBetween(0.88, 0.92); // 3 standard deviations
  }

  @Test
  void whatGivesNoIntervalIsRefused() {
    assertThatThrownBy(() -> SampleEstimate.of(new double[] {1}, 2, 0.9))
        .hasMessageContaining("1 totals of 2");
    assertThatThrownBy(() -> SampleEstimate.of(new double[] {}, 2, 0.9))
        .hasMessageContaining("0 totals");
    assertThatThrownBy(() -> SampleEstimate.of(new double[] {1, 2}, 1, 0.9))
        .hasMessageContaining("2 totals of 1");
    assertThatThrownBy(() -> SampleEstimate.of(new double[] {1, 2}, 9, 1))
        .hasMessageContaining("was 1.0");
    assertThatThrownBy(() -> SampleEstimate.of(new double[] {1, Double.NaN}, 9, 0.9))
        .hasMessageContaining("not finite");
  }
}
