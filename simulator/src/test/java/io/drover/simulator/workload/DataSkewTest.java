// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.StatUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DataSkewTest {
  @Test
  void coefficientsHaveMantrisQuantiles() {
    double[] coefficients =
        IntStream.range(0, 20_000).mapToDouble(i -> DataSkew.coefficient(7 + i * 31L)).toArray();
    // A share of 20,000 is within 0.01 of what it should be (three standard deviations).
    assertThat(share(coefficients, 0.34)).isCloseTo(0.5, within(0.011));
    assertThat(share(coefficients, 3.1)).isCloseTo(0.9, within(0.007));
  }

  private static double share(double[] values, double below) {
    return Arrays.stream(values).filter(v -> v < below).count() / (double) values.length;
  }

  /** The larger the coefficient, the more it depends on rare sizes that are not drawn. */
  @ParameterizedTest
  @CsvSource({"0, 0.001", "0.34, 0.01", "1, 0.1", "3.1, 0.9"})
  void sizesHaveTheCoefficientOfVariation(double coefficient, double tolerance) {
    long[] bytes = DataSkew.split(1L << 50, 200_000, coefficient, 3);
    double[] sizes = Arrays.stream(bytes).asDoubleStream().toArray();
    double found = Math.sqrt(StatUtils.variance(sizes)) / StatUtils.mean(sizes);
    assertThat(found).isCloseTo(coefficient, within(tolerance));
  }

  @ParameterizedTest
  @CsvSource({"0, 5", "1, 5", "7, 1", "999999999999999, 1000"})
  void sizesAddUpToTheTotal(long total, int tasks) {
    long[] bytes = DataSkew.split(total, tasks, 3.1, 11);
    assertThat(bytes).hasSize(tasks);
    assertThat(Arrays.stream(bytes).sum()).isEqualTo(total);
    assertThat(Arrays.stream(bytes).min().orElseThrow()).isNotNegative();
  }
}
