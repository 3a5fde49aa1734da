// SPDX-License-Identifier: Apache-2.0
package io.drover.core.clone;

import java.time.Duration;

/**
 * The settings of cloning.
 *
 * @param maxTasks jobs of at most this many tasks are; Dolly section 2.3: 10
 * @param maxCopies attempts of a task, or copies of a job, that start together at most, the first
 *     included, at least 1
 * @param eps the probability of an outlier that is accepted for a job, in (0,1); Dolly section 3.1:
 *     0.05
 * @param singleTaskEps the probability of an outlier that is accepted for a task that is alone in
 *     its phase, in (0,1); from eps upwards it makes no difference, which is Dolly as printed
 * @param outlierProbability p, in [0,1], where nobody has measured it
 */
public record CloneSettings(
    int maxTasks, int maxCopies, double eps, double singleTaskEps, double outlierProbability) {
  /**
   * How long an attempt waits for its container before a clone gives way to it. Chosen: longer than
   * a container that is free takes to come, two heartbeats of an AppMaster.
   */
  public static final Duration GRACE = Duration.ofSeconds(2);

  /** The rule that these settings ask for. */
  public CloneCount count() {
    return new CloneCount(eps, singleTaskEps, maxCopies);
  }

  /** The same by Dolly as printed, to which all tasks are alike. */
  public CloneSettings asPrinted() {
    return new CloneSettings(maxTasks, maxCopies, eps, eps, outlierProbability);
  }

  /** The same for other jobs, and another number of copies. */
  public CloneSettings withSizes(int tasks, int copies) {
    return new CloneSettings(tasks, copies, eps, singleTaskEps, outlierProbability);
  }
}
