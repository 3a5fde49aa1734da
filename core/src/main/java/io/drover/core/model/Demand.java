// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.OptionalInt;

/**
 * The demand for slots, as policies see it.
 *
 * @param tasksWait whether tasks of the phase have no attempt in a container and wait for one
 * @param freeSlots the number of idle slots; empty if it is not known
 * @param worth what a second that the job becomes shorter is worth, in (0,1]; below 1 if the job is
 *     expected to fail, because then nobody waits for it
 */
public record Demand(boolean tasksWait, OptionalInt freeSlots, double worth) {
  /** All tasks have begun; the number of free slots is not known. */
  public static final Demand NONE_WAITING = new Demand(false, OptionalInt.empty());

  /** Checks the range of the worth. */
  public Demand {
    if (!(worth > 0 && worth <= 1)) {
      throw new IllegalArgumentException("worth must lie in (0,1], was " + worth);
    }
  }

  /** Creates the demand of a job that is expected to succeed. */
  public Demand(boolean tasksWait, OptionalInt freeSlots) {
    this(tasksWait, freeSlots, 1);
  }

  /**
   * Returns whether any task of a phase waits for a slot: it is not done, none of its attempts
   * runs, and its last request is more than {@code patience} seconds old. A newer request is still
   * on its way and says nothing about slots.
   */
  public static boolean doTasksWait(PhaseModel phase, double now, double patience) {
    for (TaskModel task : phase.tasks()) {
      boolean asked = !task.isDone() && task.copies() > 0 && task.runningCopies() == 0;
      if (asked && now - task.lastRequestedAt() > patience) {
        return true;
      }
    }
    return false;
  }
}
