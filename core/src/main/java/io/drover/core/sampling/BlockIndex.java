// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * A set of blocks that finds one by machine, by rack, or any, in amortised constant time: what was
 * removed stays in the queues until it comes to their head.
 */
final class BlockIndex {
  private final List<InputBlock> blocks;
  private final Map<String, Deque<Integer>> byMachine = new HashMap<>();
  private final Map<String, Deque<Integer>> byRack = new HashMap<>();
  private final Deque<Integer> all = new ArrayDeque<>();
  private final BitSet members = new BitSet();
  private int size;

  BlockIndex(List<InputBlock> blocks) {
    this.blocks = blocks;
  }

  int size() {
    return size;
  }

  /** Adds a block that is not a member. */
  void add(int block) {
    members.set(block);
    size++;
    all.add(block);
    blocks.get(block).machines().forEach(machine -> queue(byMachine, machine).add(block));
    blocks.get(block).racks().forEach(rack -> queue(byRack, rack).add(block));
  }

  /** Removes a block that is a member. */
  void remove(int block) {
    members.clear(block);
    size--;
  }

  /** The member that was added first of those no farther than {@code nearness}, if any. */
  OptionalInt first(BlockLocality nearness, String machine, String rack) {
    return switch (nearness) {
      case MACHINE -> first(byMachine.get(machine));
      case RACK -> first(byRack.get(rack));
      case ELSEWHERE -> first(all);
    };
  }

  private OptionalInt first(Deque<Integer> queue) {
    while (queue != null && !queue.isEmpty()) {
      int head = queue.getFirst();
      if (members.get(head)) {
        return OptionalInt.of(head);
      }
      queue.removeFirst();
    }
    return OptionalInt.empty();
  }

  private static Deque<Integer> queue(Map<String, Deque<Integer>> queues, String key) {
    return queues.computeIfAbsent(key, unused -> new ArrayDeque<>());
  }
}
