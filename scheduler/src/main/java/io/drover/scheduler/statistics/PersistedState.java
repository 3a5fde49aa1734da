// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.core.machine.MachineSnapshot;
import io.drover.core.machine.RackBandwidths;
import java.util.List;

/**
 * The state that outlives a ResourceManager.
 *
 * @param machines what is known of them
 * @param links what jobs have said of them
 * @param at when it was written, by {@link SteadyClock}; null in a snapshot of an older version
 * @param wall when it was written, by the machine's clock; likewise
 * @param programs whose tasks cannot bear two attempts; likewise
 */
record PersistedState(
    MachineSnapshot machines,
    RackBandwidths.Snapshot links,
    Double at,
    Double wall,
    List<ProgramMemory.Remembered> programs) {
  PersistedState {
    if (machines == null || links == null) {
      throw new IllegalArgumentException("machines and links must be there");
    }
    if ((at != null && !Double.isFinite(at)) || (wall != null && !Double.isFinite(wall))) {
      throw new IllegalArgumentException("times must be numbers of seconds");
    }
  }

  /** Of which no programs are known. */
  PersistedState(MachineSnapshot machines, RackBandwidths.Snapshot links, Double at, Double wall) {
    this(machines, links, at, wall, null);
  }

  /** The same with other programs. */
  PersistedState with(List<ProgramMemory.Remembered> known) {
    return new PersistedState(machines, links, at, wall, known);
  }

  /** Programs whose tasks cannot bear two attempts. */
  List<ProgramMemory.Remembered> knownPrograms() {
    return programs == null ? List.of() : List.copyOf(programs);
  }

  /** When it was written, by the clock that its figures are of. */
  double writtenAt() {
    return at == null ? machines.at() : at;
  }

  /** The same by the machine's clock. */
  double writtenAtByTheWall() {
    return wall == null ? writtenAt() : wall;
  }
}
