// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WeightedQuantilesTest {

  @Test
  void aQuantileIsTheLeastValueUpToWhichThatShareOfTheWeightLies() {
    // In order: 1 (weight 2), 2 (weight 5), 3 (weight 3): F = 0.2, 0.7, 1.
    WeightedQuantiles three = WeightedQuantiles.of(new double[] {3, 1, 2}, new double[] {3, 2, 5});

    assertThat(three.at(0)).hasValue(1);
    assertThat(three.at(0.2)).hasValue(1);
    assertThat(three.at(0.21)).hasValue(2);
    assertThat(three.at(0.5)).hasValue(2);
    assertThat(three.at(0.7)).hasValue(2);
    assertThat(three.at(0.75)).hasValue(3);
    assertThat(three.at(1)).hasValue(3);
  }

  @Test
  void theMedianOfEqualWeightsIsTheMiddleOneOrTheLesserOfTwo() {
    assertThat(alike(5, 1, 9).at(0.5)).hasValue(5);
    assertThat(alike(5, 1, 9, 7).at(0.5)).hasValue(5);
    assertThat(alike(4).at(0.5)).hasValue(4);
  }

  @Test
  void oneHeavyValueOutweighsManyLightOnes() {
    WeightedQuantiles heavy =
        WeightedQuantiles.of(new double[] {0, 0, 0, 0.4}, new double[] {1, 1, 1, 30});

    assertThat(heavy.at(0.25)).hasValue(0.4);
    assertThat(heavy.mean()).hasValue(0.4 * 30 / 33);
  }

  @Test
  void roundingOfSumsMovesNoQuantile() {
    double[] weights = new double[10];
    double[] values = new double[10];
    for (int i = 0; i < 10; i++) {
      weights[i] = 0.1;
      values[i] = i + 1;
    }
    WeightedQuantiles ten = WeightedQuantiles.of(values, weights);

    for (int i = 1; i <= 10; i++) {
      assertThat(ten.at(i / 10.0)).hasValue(i);
    }
  }

  @Test
  void theShareUpToAPointCountsThePointItself() {
    WeightedQuantiles three =
        WeightedQuantiles.of(new double[] {-1, 0, 0.5}, new double[] {1, 1, 2});

    assertThat(three.shareUpTo(new double[] {-2, -1, -0.5, 0, 0.49, 0.5, 1}))
        .containsExactly(0, 0.25, 0.25, 0.5, 0.5, 1, 1);
  }

  @Test
  void valuesWithoutWeightCountForNothing() {
    WeightedQuantiles one =
        WeightedQuantiles.of(new double[] {Double.NaN, 3, -8}, new double[] {0, 1, 0});

    assertThat(one.at(0)).hasValue(3);
    assertThat(one.mean()).hasValue(3);
  }

  @Test
  void ofNothingThereIsNoQuantile() {
    WeightedQuantiles none = alike();

    assertThat(none.isEmpty()).isTrue();
    assertThat(none.at(0.5)).isEmpty();
    assertThat(none.mean()).isEmpty();
    assertThat(none.shareUpTo(new double[] {0, 1})).containsExactly(0, 0);
  }

  @Test
  void whatIsNoDistributionIsRefused() {
    assertThatThrownBy(() -> WeightedQuantiles.of(new double[] {1}, new double[] {-1}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> WeightedQuantiles.of(new double[] {Double.NaN}, new double[] {1}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> WeightedQuantiles.of(new double[] {1}, new double[] {Double.NaN}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> WeightedQuantiles.of(new double[] {1}, new double[] {Double.POSITIVE_INFINITY}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> WeightedQuantiles.of(new double[] {1}, new double[0]))
        .hasMessage("1 values, 0 weights");
    assertThatThrownBy(() -> alike(1).at(50)).hasMessageContaining("[0,1]");
  }

  private static WeightedQuantiles alike(double... values) {
    double[] weights = new double[values.length];
    Arrays.fill(weights, 1);
    return WeightedQuantiles.of(values, weights);
  }
}
