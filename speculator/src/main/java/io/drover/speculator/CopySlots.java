// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.model.PhaseModel;
import io.drover.core.model.TaskModel;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Tells how many copies may be requested: as many as the ResourceManager has room for, if it has
 * said so, and always one, which takes the next slot that becomes free; but never more than the
 * user allows. While tasks wait, there is no room, and copies take the slots of attempts that end.
 * None is requested while another one has waited for long.
 *
 * @param cap what the user allows
 * @param placementHook tells what the ResourceManager has said; empty in Hadoop's AppMaster
 * @param phases all phases of the job, which share the room
 * @param patience if a copy requested so many seconds ago has no container, no slot is free
 */
record CopySlots(
    SpeculationCap cap,
    Optional<AttemptPlacementHook> placementHook,
    Collection<PhaseModel> phases,
    double patience) {
  /** The ResourceManager has heard of a request after so many seconds: two heartbeats. */
  static final double UNHEARD = 2;

  /** Returns how many more copies the tasks of a phase may get now, at least 0. */
  int free(PhaseModel phase, boolean tasksWait, double now) {
    int requested = 0;
    for (TaskModel task : phase.running()) {
      if (task.copies() > task.runningCopies()) {
        requested++;
        if (now - task.lastRequestedAt() > patience) {
          return 0;
        }
      }
    }
    OptionalInt room =
        tasksWait || placementHook.isEmpty()
            ? OptionalInt.empty()
            : placementHook.get().freeSlots(phase.kind());
    return room.isEmpty()
        ? cap.free(phase)
        : Math.min(
            cap.free(phase), Math.max(room.getAsInt() - unheard(now), requested == 0 ? 1 : 0));
  }

  /** Returns how many tasks have got copies that the ResourceManager may not have heard of yet. */
  private int unheard(double now) {
    return (int)
        phases.stream()
            .flatMap(phase -> phase.running().stream())
            .filter(task -> now - task.copiedAt() < UNHEARD)
            .count();
  }
}
