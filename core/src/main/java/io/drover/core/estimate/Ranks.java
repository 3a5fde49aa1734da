// SPDX-License-Identifier: Apache-2.0
package io.drover.core.estimate;

import io.drover.core.model.SortedArrays;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Counts the values below a given one, for many questions about the same values.
 *
 * <p>A bucket sort that sorts a bucket when it is first asked about, since most questions are about
 * a few of them: it takes O(n) to make, and of values that are spread evenly O(1) to ask; of values
 * in one heap with a far outlier, as much as sorting and halving.
 */
final class Ranks {
  private final double least;
  private final double bucketsPerUnit;

  /** All values, bucket by bucket, those of the sorted buckets in ascending order. */
  private final double[] values;

  /** Where each bucket begins in them; and, at last, where the last one ends. */
  private final int[] begins;

  private final BitSet sorted = new BitSet();

  /**
   * Ranks of some values, which are copied.
   *
   * @param values finite
   */
  Ranks(double[] values) {
    double lowest = Double.POSITIVE_INFINITY;
    double highest = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      lowest = Math.min(lowest, value);
      highest = Math.max(highest, value);
    }
    least = lowest;
    double perUnit = values.length / (highest - lowest);
    bucketsPerUnit = Double.isFinite(perUnit) ? perUnit : 0; // all are alike: one bucket
    this.values = new double[values.length];
    begins = new int[values.length + 2];
    fill(values);
  }

  /** Grows with the value, rounding included, so that buckets are in order. */
  private int bucket(double value) {
    return (int) ((value - least) * bucketsPerUnit);
  }

  /** A counting sort by bucket: from the back, each value goes before those that came earlier. */
  private void fill(double[] unordered) {
    for (double value : unordered) {
      begins[bucket(value)]++;
    }
    for (int b = 1; b < begins.length; b++) {
      begins[b] += begins[b - 1];
    }
    for (double value : unordered) {
      values[--begins[bucket(value)]] = value;
    }
  }

  /** How many values are less than the given one. */
  int countBelow(double value) {
    int last = begins.length - 2;
    double exact = (value - least) * bucketsPerUnit;
    int b = exact < 0 ? 0 : (int) Math.min(exact, last);
    if (!sorted.get(b)) {
      Arrays.sort(values, begins[b], begins[b + 1]);
      sorted.set(b);
    }
    return SortedArrays.firstNotBelow(values, begins[b], begins[b + 1], value);
  }
}
