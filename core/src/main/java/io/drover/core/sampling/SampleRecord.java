// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * The K of N blocks that a job's result is made of. Work that is done again reads the same sample.
 *
 * <p>Source: KMN section 5.1 (the K partitions are part of a job's lineage).
 *
 * @param needed K, at least 1
 * @param total N, at least K
 * @param sample index of the sample that the blocks are from, at least 0
 * @param used the K blocks, ascending, each in [0,N)
 */
public record SampleRecord(int needed, int total, int sample, List<Integer> used) {
  /** Checks the ranges above. */
  public SampleRecord {
    used = List.copyOf(used);
    check(needed >= 1, "K must be at least 1, was %d", needed);
    check(sample >= 0, "a sample index must be at least 0, was %d", sample);
    check(used.size() == needed, "%d blocks are used, but K is %d", used.size(), needed);
    int last = -1;
    for (int block : used) {
      check(block > last, "blocks must ascend, but %d follows %d", block, last);
      check(block < total, "block %d is out of range, N = %d", block, total);
      last = block;
    }
  }

  private static void check(boolean good, String problem, Object... values) {
    if (!good) {
      throw new IllegalArgumentException(String.format(Locale.ROOT, problem, values));
    }
  }

  /** Returns whether a block is one of the K. */
  public boolean contains(int block) {
    return Collections.binarySearch(used, block) >= 0;
  }
}
