// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.util.Arrays;

/**
 * The sizes of a phase's inputs, in bytes, in four numbers.
 *
 * @param total of all tasks, at least 0
 * @param smallest of one task, at least 0
 * @param median of one task (the upper one of two), at least the smallest
 * @param largest of one task, at least the median and at most the total
 */
public record SizeSummary(long total, long smallest, long median, long largest) {
  /** Checks the order. */
  public SizeSummary {
    Validation.within("smallest", smallest, 0, Long.MAX_VALUE);
    Validation.within("median", median, smallest, Long.MAX_VALUE);
    Validation.within("largest", largest, median, Long.MAX_VALUE);
    Validation.within("total", total, largest, Long.MAX_VALUE);
  }

  /**
   * The summary of some sizes.
   *
   * @param sizes in bytes, in any order; of none the summary is all zeros
   * @throws IllegalArgumentException if one is negative
   */
  public static SizeSummary of(long... sizes) {
    if (sizes.length == 0) {
      return new SizeSummary(0, 0, 0, 0);
    }
    long[] sorted = sizes.clone();
    Arrays.sort(sorted);
    long total = 0;
    for (long size : sorted) {
      long sum = total + size;
      total =
          sum < total && size > 0 ? Long.MAX_VALUE : sum; // nobody has that much, but may say so
    }
    return new SizeSummary(total, sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
  }
}
