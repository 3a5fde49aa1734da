// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.result;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

/**
 * The minimum, median and maximum of some numbers. The median of an even count is the mean of the
 * middle two.
 */
public record Spread(double min, double median, double max) {

  /** Returns the spread of some numbers; empty if there are no numbers. */
  public static Optional<Spread> of(Collection<Double> values) {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int half = sorted.length / 2;
    double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    return Optional.of(new Spread(sorted[0], median, sorted[sorted.length - 1]));
  }

  /** Returns the index of the median; of an even count, the index of the lower middle number. */
  public static int indexOfMedian(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double median = sorted[(sorted.length - 1) / 2];
    for (int i = 0; i < values.length; i++) {
      if (values[i] == median) {
        return i;
      }
    }
    throw new IllegalArgumentException("no values");
  }
}
