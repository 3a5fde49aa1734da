// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.OptionalInt;

/**
 * The demand for slots, as policies see it.
 *
 * @param waitingTasks tasks of the phase that have no attempt in a container yet and wait for one
 * @param freeSlots the number of idle slots; empty if it is not known
 */
public record Demand(int waitingTasks, OptionalInt freeSlots) {
  /** All tasks have begun; the number of free slots is not known. */
  public static final Demand NONE_WAITING = new Demand(0, OptionalInt.empty());

  /** Returns whether tasks wait for slots. */
  public boolean tasksWait() {
    return waitingTasks > 0;
  }
}
