// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.result;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

/**
 * The least, the middle and the greatest of some numbers. The middle of an even number of them is
 * the mean of the two in the middle.
 */
public record Spread(double min, double median, double max) {

  /** Of no numbers there is none. */
  public static Optional<Spread> of(Collection<Double> values) {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int half = sorted.length / 2;
    double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    return Optional.of(new Spread(sorted[0], median, sorted[sorted.length - 1]));
  }

  /** Which of some numbers is their median, or the one next below it. */
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
