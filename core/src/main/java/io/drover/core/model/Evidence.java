// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a decision rests on. Whatever was not known, or not needed, is empty.
 *
 * @param copies c, the attempts that held or waited for a container
 * @param kills how often the task has been killed and restarted before
 * @param tasksWait whether tasks of the phase were waiting for slots
 * @param work fraction of the present sub-phase that was done by the best attempt
 * @param remaining t_rem of the best attempt, seconds; infinite if it has stopped moving
 * @param basis what t_rem rests on
 * @param fresh E[t_new], seconds
 * @param probability P(t_new &lt; c/(c+1) t_rem)
 * @param threshold what the deciding quantity was compared with: seconds for t_rem and for savings,
 *     a probability where a probability decides
 * @param observations attempts on which the distribution of t_new rests
 */
public record Evidence(
    int copies,
    int kills,
    boolean tasksWait,
    double work,
    OptionalDouble remaining,
    Optional<Basis> basis,
    OptionalDouble fresh,
    OptionalDouble probability,
    OptionalDouble threshold,
    int observations) {

  /** The evidence of a rule that does not look at times. */
  public static Evidence withoutEstimates(TaskModel task, boolean tasksWait, double work) {
    return new Evidence(
        task.copies(),
        task.kills(),
        tasksWait,
        work,
        OptionalDouble.empty(),
        Optional.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        0);
  }

  /** E[t_rem - t_new]: seconds by which the task is expected to end sooner with a new attempt. */
  public OptionalDouble saving() {
    return remaining.isPresent() && fresh.isPresent()
        ? OptionalDouble.of(remaining.getAsDouble() - fresh.getAsDouble())
        : OptionalDouble.empty();
  }

  /**
   * The slot-seconds that a copy is expected to cost over leaving the task alone: (c+1) t_new - c
   * t_rem. Below zero it saves them.
   */
  public OptionalDouble cost() {
    return remaining.isPresent() && fresh.isPresent()
        ? OptionalDouble.of((copies + 1) * fresh.getAsDouble() - copies * remaining.getAsDouble())
        : OptionalDouble.empty();
  }
}
