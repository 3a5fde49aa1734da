// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.model.PhaseModel;
import io.drover.core.order.LargestFirst;
import java.util.Arrays;
import java.util.List;

/** Keeps the order in which the tasks of a phase begin, and the racks that they prefer. */
final class PhaseOrder {
  /** How many tasks are searched for one that prefers a rack with a free slot. */
  private static final int LOOK_AHEAD = 32;

  private final int[] order;
  private int[] wishes;
  private int begun;

  /** Creates an order by index in which no task has begun. */
  PhaseOrder(int tasks) {
    order = new int[tasks];
    Arrays.setAll(order, i -> i);
  }

  /** Orders the tasks by their data, largest first. */
  void largestFirst(PhaseModel model, double now) {
    int[] next = {0};
    new LargestFirst()
        .order(model.tasks(), now)
        .forEach(decision -> order[next[0]++] = decision.task().index());
  }

  /** Sets the preferred rack of each task. */
  void wish(int[] racks) {
    wishes = racks;
  }

  /** Returns the preferred rack of a task; -1 if it has none. */
  int wish(int task) {
    return wishes == null ? -1 : wishes[task];
  }

  /** Begins the next task and returns its index. One must be waiting. */
  int begin() {
    return order[begun++];
  }

  /**
   * Begins a task and returns its index: among the next few, the first one that prefers a rack with
   * a free slot, otherwise the next one. One must be waiting.
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

  /** Returns how many tasks have not begun. */
  int waiting() {
    return order.length - begun;
  }

  /** Returns all tasks in order, whether or not they have begun. */
  List<Integer> all() {
    return Arrays.stream(order).boxed().toList();
  }

  /** Returns the tasks that have not begun, in order. */
  List<Integer> notBegun() {
    return Arrays.stream(order, begun, order.length).boxed().toList();
  }
}
