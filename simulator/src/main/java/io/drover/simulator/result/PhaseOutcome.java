// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.result;

import io.drover.core.model.TaskKind;
import java.util.OptionalDouble;

/**
 * What has come of one phase.
 *
 * @param job its job's number, from 0
 * @param phase its place in the job, from 0
 * @param kind maps or reduces
 * @param tasks how many
 * @param begun when its tasks might begin, seconds
 * @param ended when its last task was done, seconds
 * @param slotSeconds for which its attempts held slots
 * @param copies that were asked for beside attempts that ran
 * @param restarts attempts that were killed in order to start their tasks anew
 * @param clones that were asked for with the first attempts, and attempts in copies of the job
 * @param won tasks that another attempt than the first has done, and sooner than the first would
 *     have; all of them if a copy of the job was the first to end
 * @param throughputSpread how many times more bytes a second the median task has fetched than the
 *     slowest one (Mantri section 6.4, figure 20); empty if fewer than two tasks fetched anything
 */
public record PhaseOutcome(
    int job,
    int phase,
    TaskKind kind,
    int tasks,
    double begun,
    double ended,
    double slotSeconds,
    int copies,
    int restarts,
    int clones,
    int won,
    OptionalDouble throughputSpread) {
  /** From the time when its tasks might begin to its end. */
  public double seconds() {
    return ended - begun;
  }
}
