// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the sample, of several, that can read the most blocks locally on the machines that have
 * been free. A block is within reach once a machine that holds it had a free slot. KMN section 3.2
 * gives the probability of that event.
 */
final class SampleRace {
  private final List<List<Integer>> samples;
  private final int needed;
  private final Map<String, Map<Integer, BitSet>> onMachine = new HashMap<>();
  private final Set<String> seen = new HashSet<>();
  private final BitSet[] reached;
  private final int[] reach;

  /**
   * Creates a race.
   *
   * @param needed K; more blocks of a sample than this are of no use
   */
  SampleRace(List<InputBlock> blocks, List<List<Integer>> samples, int needed) {
    this.samples = samples;
    this.needed = needed;
    this.reached = new BitSet[samples.size()];
    this.reach = new int[samples.size()];
    for (int s = 0; s < samples.size(); s++) {
      reached[s] = new BitSet();
      for (int block : samples.get(s)) {
        for (String machine : blocks.get(block).machines()) {
          onMachine
              .computeIfAbsent(machine, unused -> new HashMap<>())
              .computeIfAbsent(s, unused -> new BitSet())
              .set(block);
        }
      }
    }
  }

  /** Notes that a machine has a free slot. */
  void see(String machine) {
    if (!seen.add(machine)) {
      return;
    }
    onMachine
        .getOrDefault(machine, Map.of())
        .forEach(
            (s, blocks) -> {
              reached[s].or(blocks);
              reach[s] = Math.min(needed, reached[s].cardinality());
            });
  }

  /** Returns whether a sample has a block on a machine. */
  boolean isOn(String machine, int sample) {
    return onMachine.getOrDefault(machine, Map.of()).containsKey(sample);
  }

  /** Returns whether some sample has all its needed blocks within reach. */
  boolean isWon() {
    return reach[leader("")] >= needed;
  }

  /**
   * Returns the sample with the most blocks within reach; among equals one with a block on the
   * given machine, and among these the first.
   */
  int leader(String machine) {
    int leader = 0;
    for (int s = 1; s < samples.size(); s++) {
      boolean nearer = isOn(machine, s) && !isOn(machine, leader);
      if (reach[s] > reach[leader] || (reach[s] == reach[leader] && nearer)) {
        leader = s;
      }
    }
    return leader;
  }
}
