// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Creates clusters with blocks for tests of late binding. */
final class BlockChoices {
  private static final int MACHINES = 3000;
  private static final int SLOTS = 8;
  private static final int RACK = 10;

  private BlockChoices() {}

  static String rackOf(int machine) {
    return "r" + machine / RACK;
  }

  static InputBlock on(int... machines) {
    return new InputBlock(
        IntStream.of(machines).mapToObj(m -> "m" + m).toList(),
        IntStream.of(machines).mapToObj(BlockChoices::rackOf).toList());
  }

  static List<InputBlock> anywhere(
      int blocks, int machines, int replicas, SplittableRandom random) {
    List<InputBlock> all = new ArrayList<>();
    for (int b = 0; b < blocks; b++) {
      all.add(on(random.ints(replicas, 0, machines).toArray()));
    }
    return all;
  }

  static List<List<Integer>> disjoint(int samples, int blocks) {
    return IntStream.range(0, samples)
        .mapToObj(s -> IntStream.range(s * blocks, (s + 1) * blocks).boxed().toList())
        .toList();
  }

  /** Returns the share of runs in which all K tasks that start in one instant are local. */
  static double allLocal(int runs, int k, int n, int samples, double u, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double busy = Math.pow(u, SLOTS);
    int local = 0;
    for (int run = 0; run < runs; run++) {
      List<InputBlock> blocks = anywhere(n * samples, MACHINES, 1, random);
      BlockChoice choice =
          BlockChoice.oneOf(blocks, disjoint(samples, n), k, k, SamplingSettings.KMN, random);
      List<String> free =
          blocks.stream()
              .map(block -> block.machines().get(0))
              .distinct()
              .filter(machine -> random.nextDouble() >= busy)
              .toList();
      free.forEach(machine -> choice.see(machine, 0));
      double now = SamplingSettings.KMN.sampleSeconds();
      for (String machine : free) {
        while (choice.offer(machine, "", now).binding().isPresent()) {
          // as in the paper, a machine with a free slot serves all its blocks
        }
      }
      local += choice.running() == k ? 1 : 0;
    }
    return (double) local / runs;
  }
}
