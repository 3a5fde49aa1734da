// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.OptionalInt;

/**
 * The demand for slots, as policies see it.
 *
 * @param waitingTasks tasks of the phase that have no attempt in a container yet and wait for one
 * @param freeSlots the number of idle slots; empty if it is not known
 * @param worth what a second that the job becomes shorter is worth, in (0,1]; below 1 if the job is
 *     expected to fail, because then nobody waits for it
 */
public record Demand(int waitingTasks, OptionalInt freeSlots, double worth) {
  /** All tasks have begun; the number of free slots is not known. */
  public static final Demand NONE_WAITING = new Demand(0, OptionalInt.empty());

  /** Checks the range of the worth. */
  public Demand {
    if (!(worth > 0 && worth <= 1)) {
      throw new IllegalArgumentException("worth must lie in (0,1], was " + worth);
    }
  }

  /** Creates the demand of a job that is expected to succeed. */
  public Demand(int waitingTasks, OptionalInt freeSlots) {
    this(waitingTasks, freeSlots, 1);
  }

  /**
   * Returns how many tasks of a phase wait for a slot: they are not done, none of their attempts
   * runs, and their last request is more than {@code patience} seconds old. A newer request is
   * still on its way and says nothing about slots.
   */
  public static int waiting(PhaseModel phase, double now, double patience) {
    int waiting = 0;
    for (TaskModel task : phase.tasks()) {
      boolean asked = !task.isDone() && task.copies() > 0 && task.runningCopies() == 0;
      if (asked && now - task.lastRequestedAt() > patience) {
        waiting++;
      }
    }
    return waiting;
  }

  /** Returns whether tasks wait for slots. */
  public boolean tasksWait() {
    return waitingTasks > 0;
  }
}
