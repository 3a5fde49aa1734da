// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.model.PhaseModel;
import io.drover.core.order.LargestFirst;
import java.util.Arrays;
import java.util.List;

/** The order in which the tasks of a phase begin, by index, and the racks they are wished in. */
final class PhaseOrder {
  /** Tasks among which one is looked for that wishes for a rack with a free slot. */
  private static final int LOOK_AHEAD = 32;

  private final int[] order;
  private int[] wishes;
  private int begun;

  /** So many tasks, of which none has begun, one after the other. */
  PhaseOrder(int tasks) {
    order = new int[tasks];
    Arrays.setAll(order, i -> i);
  }

  /** Those with the most data are to begin first. */
  void largestFirst(PhaseModel model, double now) {
    int[] next = {0};
    new LargestFirst()
        .order(model.tasks(), now)
        .forEach(decision -> order[next[0]++] = decision.task().index());
  }

  /** The rack in which each task is wished to run. */
  void wish(int[] racks) {
    wishes = racks;
  }

  /** The rack in which a task is wished to run; -1 if there is no wish. */
  int wish(int task) {
    return wishes == null ? -1 : wishes[task];
  }

  /** The task that begins now, one of those that have not; there must be one. */
  int begin() {
    return order[begun++];
  }

  /**
   * The task that begins now, among the next few one that wishes to run in a rack with a free slot,
   * else the next; there must be one.
   */
  int begin(Slots slots) {
    int end = wishes == null ? begun : Math.min(order.length, begun + LOOK_AHEAD);
    for (int i = begun; i < end; i++) {
      if (slots.count(wishes[order[i]]) > 0) {
        int chosen = order[i];
        System.arraycopy(order, begun, order, begun + 1, i - begun);
        order[begun] = chosen;
        break;
      }
    }
    return begin();
  }

  /** How many have not begun. */
  int waiting() {
    return order.length - begun;
  }

  /** All, whether or not they have begun. */
  List<Integer> all() {
    return Arrays.stream(order).boxed().toList();
  }

  /** Those that have not begun. */
  List<Integer> notBegun() {
    return Arrays.stream(order, begun, order.length).boxed().toList();
  }
}
