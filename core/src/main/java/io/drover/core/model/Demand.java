// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.OptionalInt;

/**
 * The demand for slots, as policies see it.
 *
 * @param waitingTasks tasks of the phase that have no attempt in a container yet and wait for one
 * @param freeSlots slots that stand idle, where anybody knows
 */
public record Demand(int waitingTasks, OptionalInt freeSlots) {
  /** All tasks have begun; how many slots are free is not known. */
  public static final Demand NONE_WAITING = new Demand(0, OptionalInt.empty());

  /** Whether tasks wait for slots. */
  public boolean tasksWait() {
    return waitingTasks > 0;
  }
}
