// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Checks and shuffles samples: lists of indices into a job's blocks. */
final class Samples {
  private Samples() {}

  /**
   * The size of the smallest sample.
   *
   * @throws IllegalArgumentException unless they are disjoint, of known blocks, and at least K each
   */
  static int smallest(List<List<Integer>> samples, int total, int needed) {
    check(!samples.isEmpty(), "there must be at least one sample");
    Set<Integer> seen = new HashSet<>();
    int smallest = total;
    for (List<Integer> blocks : samples) {
      int size = blocks.size();
      check(size >= needed, "a sample has " + size + " blocks, not K, " + needed);
      smallest = Math.min(smallest, size);
      for (int block : blocks) {
        if (block < 0 || block >= total) {
          throw new IllegalArgumentException("there is no block " + block + " of " + total);
        }
        if (!seen.add(block)) {
          throw new IllegalArgumentException("block " + block + " is in the samples twice");
        }
      }
    }
    return smallest;
  }

  private static void check(boolean good, String problem) {
    if (!good) {
      throw new IllegalArgumentException(problem);
    }
  }

  /** The blocks of a sample in an order in which each is equally likely (Fisher and Yates). */
  static List<Integer> shuffled(List<Integer> blocks, RandomGenerator chance) {
    List<Integer> order = new ArrayList<>(blocks);
    for (int i = order.size() - 1; i > 0; i--) {
      int j = chance.nextInt(i + 1);
      order.set(i, order.set(j, order.get(i)));
    }
    return List.copyOf(order);
  }
}
