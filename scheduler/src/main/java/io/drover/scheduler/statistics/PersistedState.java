// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.core.machine.MachineSnapshot;
import io.drover.core.machine.Quarantine;
import io.drover.core.machine.RackBandwidths;
import java.util.List;

/**
 * The state that outlives a ResourceManager. Snapshots of older versions lack the last five.
 *
 * @param machines what is known about machines
 * @param links what jobs have measured on links
 * @param at when it was written, in seconds of the {@link SteadyClock}; may be null
 * @param wall when it was written, in seconds of the machine's clock; may be null
 * @param programs the programs whose tasks cannot bear two attempts; may be null
 * @param slowTasks what became of slow tasks in jobs; may be null
 * @param quarantines the quarantines of machines; may be null
 */
record PersistedState(
    MachineSnapshot machines,
    RackBandwidths.Snapshot links,
    Double at,
    Double wall,
    List<ProgramMemory.Remembered> programs,
    List<SlowTaskMemory.Seen> slowTasks,
    List<Quarantine.Term> quarantines) {
  PersistedState {
    if (machines == null || links == null) {
      throw new IllegalArgumentException("machines and links must not be missing");
    }
    if ((at != null && !Double.isFinite(at)) || (wall != null && !Double.isFinite(wall))) {
      throw new IllegalArgumentException("times must be numbers of seconds");
    }
  }

  /** Creates a state without programs. */
  PersistedState(MachineSnapshot machines, RackBandwidths.Snapshot links, Double at, Double wall) {
    this(machines, links, at, wall, null, null, null);
  }

  /** Returns the same state with what is known of programs and jobs, and with quarantines. */
  PersistedState with(
      List<ProgramMemory.Remembered> known,
      List<SlowTaskMemory.Seen> slow,
      List<Quarantine.Term> terms) {
    return new PersistedState(machines, links, at, wall, known, slow, terms);
  }

  /** Returns the quarantines of machines. */
  List<Quarantine.Term> knownQuarantines() {
    return quarantines == null ? List.of() : List.copyOf(quarantines);
  }

  /** Returns what became of slow tasks in jobs. */
  List<SlowTaskMemory.Seen> knownSlowTasks() {
    return slowTasks == null ? List.of() : List.copyOf(slowTasks);
  }

  /** Returns the programs whose tasks cannot bear two attempts. */
  List<ProgramMemory.Remembered> knownPrograms() {
    return programs == null ? List.of() : List.copyOf(programs);
  }

  /** Returns when it was written, by the clock of its figures. */
  double writtenAt() {
    return at == null ? machines.at() : at;
  }

  /** Returns when it was written, by the machine's clock if it is known. */
  double writtenAtByTheWall() {
    return wall == null ? writtenAt() : wall;
  }
}
