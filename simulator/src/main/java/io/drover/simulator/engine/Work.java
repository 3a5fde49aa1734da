// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.model.TaskKind;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.world.Overheads;

/**
 * What a task has to do once it has its input, in seconds on a machine that is not slow.
 *
 * @param sortSeconds merging what was fetched; 0 for a map
 * @param mainSeconds mapping or reducing
 * @param wrapUpSeconds what comes after
 */
record Work(double sortSeconds, double mainSeconds, double wrapUpSeconds) {

  /** The work of a task with so much input. */
  static Work of(PhaseSpec phase, long bytes, Overheads overheads) {
    double all = Math.max(overheads.leastWorkSeconds(), bytes * phase.secondsPerByte());
    double sort = phase.kind() == TaskKind.MAP ? 0 : all * overheads.sortShare();
    double wrapUp = all * overheads.wrapUpShare();
    return new Work(sort, all - sort - wrapUp, wrapUp);
  }

  /** All of it. */
  double seconds() {
    return sortSeconds + mainSeconds + wrapUpSeconds;
  }
}
