// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.result;

/**
 * What has come of one job.
 *
 * @param job its number, from 0
 * @param tasks of all its phases
 * @param submitted seconds
 * @param ended seconds
 * @param slotSeconds for which its attempts held slots
 * @param recomputations of its tasks: how often a reader missed an output
 */
public record JobOutcome(
    int job, int tasks, double submitted, double ended, double slotSeconds, int recomputations) {
  /** A job that lost nothing. */
  public JobOutcome(int job, int tasks, double submitted, double ended, double slotSeconds) {
    this(job, tasks, submitted, ended, slotSeconds, 0);
  }

  /** From its submission to its end. */
  public double seconds() {
    return ended - submitted;
  }
}
