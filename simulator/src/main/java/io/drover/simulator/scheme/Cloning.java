// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.clone.CloneCount;
import io.drover.core.clone.CloneSettings;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.result.Comparison;
import io.drover.simulator.workload.JobSpec;

/** Decides how many copies a small job starts with, using core and what earlier jobs taught. */
final class Cloning {
  private final CloneSettings settings;
  private final CloneCount count;
  private final OutlierLearning learning = new OutlierLearning();

  Cloning(CloneSettings settings) {
    this.settings = settings;
    this.count = settings.count();
  }

  private boolean isCloned(JobSpec job) {
    return job.tasks() <= settings.maxTasks();
  }

  /**
   * Returns whether another scheme has to help a job. This applies to jobs that are not cloned, and
   * to large jobs even if they are to be cloned, because there is seldom room for all their clones.
   */
  boolean leavesToOthers(JobSpec job) {
    return !isCloned(job) || job.tasks() > Comparison.MOST_TASKS_OF_A_SMALL_JOB;
  }

  int copiesOfEachTask(PhaseRun phase) {
    JobSpec job = phase.job().spec();
    return isCloned(job) ? count.ofEachTask(job.tasks(), phase.tasks().size(), p()) : 1;
  }

  int copiesOfWholeJob(JobSpec job) {
    return isCloned(job) ? count.ofWholeJob(job.tasks(), p()) : 1;
  }

  private double p() {
    return learning.probability().orElse(settings.outlierProbability());
  }

  /**
   * Records that an attempt is about to be ended because another one should finish sooner.
   *
   * @param remaining its t_rem, seconds
   */
  void endedAsSlower(AttemptRun attempt, double remaining) {
    learning.endedAsSlower(attempt, remaining);
  }

  void ended(AttemptRun attempt) {
    learning.ended(attempt);
  }

  void ended(JobRun job) {
    learning.ended(job);
  }
}
