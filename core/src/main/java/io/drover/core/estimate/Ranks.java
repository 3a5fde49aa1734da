// SPDX-License-Identifier: Apache-2.0
package io.drover.core.estimate;

import io.drover.core.model.SortedArrays;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Counts the values below a given one, for many queries on the same values.
 *
 * <p>This is a bucket sort that sorts a bucket when it is first queried, because most queries hit
 * few buckets. Construction takes O(n). A query takes O(1) if the values are spread evenly. If most
 * values are close together and one is far away, queries cost as much as sorting and binary search.
 */
final class Ranks {
  private final double least;
  private final double bucketsPerUnit;

  /** All values, bucket by bucket. The values of a sorted bucket are in ascending order. */
  private final double[] values;

  /** Where each bucket begins in {@code values}; the last entry is where the last bucket ends. */
  private final int[] begins;

  private final BitSet sorted = new BitSet();

  /**
   * Copies the values.
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
    bucketsPerUnit = Double.isFinite(perUnit) ? perUnit : 0; // all values are equal: one bucket
    this.values = new double[values.length];
    begins = new int[values.length + 2];
    fill(values);
  }

  /** Returns the bucket of a value. It never falls as values rise, so the buckets are in order. */
  private int bucket(double value) {
    return (int) ((value - least) * bucketsPerUnit);
  }

  /** Sorts the values into buckets by counting. Each bucket is filled from its end to its start. */
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
