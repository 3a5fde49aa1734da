// SPDX-License-Identifier: Apache-2.0
package io.drover.core.clone;

import java.time.Duration;

/**
 * The settings of cloning.
 *
 * @param maxTasks jobs with at most this many tasks are cloned; 10 in Dolly section 2.3
 * @param maxCopies the maximum number of attempts of a task, or copies of a job, that start
 *     together, including the first one, at least 1
 * @param eps the accepted probability that a job meets an outlier, in (0,1]; 0.05 in Dolly section
 *     3.1
 * @param singleTaskEps the accepted probability that a task alone in its phase meets an outlier, in
 *     (0,1]; values from eps upwards make no difference, which gives Dolly as printed
 * @param outlierProbability p, in [0,1]; used if it has not been measured
 */
public record CloneSettings(
    int maxTasks, int maxCopies, double eps, double singleTaskEps, double outlierProbability) {
  /**
   * How long an attempt waits for its container before a clone gives way to it. We chose this
   * value: it is longer than a free container takes to arrive, two heartbeats of an AppMaster.
   */
  public static final Duration GRACE = Duration.ofSeconds(2);

  /** Returns the rule for these settings. */
  public CloneCount count() {
    return new CloneCount(eps, singleTaskEps, maxCopies);
  }

  /**
   * Returns these settings for a job that may fail. An outlier harms only jobs that succeed, so
   * that their share that meets one is what has to be small: eps is divided by their share.
   *
   * @param success the probability that the job succeeds, in [0,1]
   */
  public CloneSettings forSuccess(double success) {
    return new CloneSettings(
        maxTasks,
        maxCopies,
        Math.min(1, eps / success),
        Math.min(1, singleTaskEps / success),
        outlierProbability);
  }

  /** Returns these settings for Dolly as printed, which treats all tasks alike. */
  public CloneSettings asPrinted() {
    return new CloneSettings(maxTasks, maxCopies, eps, eps, outlierProbability);
  }

  /** Returns these settings with other values for the two sizes. */
  public CloneSettings withSizes(int tasks, int copies) {
    return new CloneSettings(tasks, copies, eps, singleTaskEps, outlierProbability);
  }
}
