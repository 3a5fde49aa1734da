// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.model.PhaseModel;
import io.drover.core.model.TaskModel;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Limits how many tasks of a kind have a copy at the same time. The job's user limits that by
 * Hadoop's own keys, and the limit holds for Drover's copies as it holds for those of Hadoop's
 * speculator.
 *
 * <p>The rule is {@code DefaultSpeculator.maybeScheduleASpeculation}'s: the largest of {@code
 * minimum-allowed-tasks}, of {@code speculative-cap-total-tasks} times the tasks of the kind, and
 * of {@code speculative-cap-running-tasks} times those that run. Departure: a clone is no copy. It
 * is asked for together with its task's first attempt, and has limits of its own; only where all
 * three are 0 there are no clones either.
 *
 * @param least tasks that may have a copy, however few there are
 * @param ofAll share of all tasks, 0 to 1
 * @param ofRunning share of the running tasks, 0 to 1
 */
record SpeculationCap(int least, double ofAll, double ofRunning) {
  static SpeculationCap of(Configuration conf) {
    return new SpeculationCap(
        conf.getInt(
            MRJobConfig.SPECULATIVE_MINIMUM_ALLOWED_TASKS,
            MRJobConfig.DEFAULT_SPECULATIVE_MINIMUM_ALLOWED_TASKS),
        conf.getDouble(
            MRJobConfig.SPECULATIVECAP_TOTAL_TASKS, MRJobConfig.DEFAULT_SPECULATIVECAP_TOTAL_TASKS),
        conf.getDouble(
            MRJobConfig.SPECULATIVECAP_RUNNING_TASKS,
            MRJobConfig.DEFAULT_SPECULATIVECAP_RUNNING_TASKS));
  }

  /** How many more tasks of a phase may get a copy now; 0 or more. */
  int free(PhaseModel phase) {
    int ofTotal = (int) Math.max(least, ofAll * phase.tasks().size());
    int allowed = (int) Math.max(ofTotal, ofRunning * phase.running().size());
    long copied = phase.running().stream().filter(SpeculationCap::hasCopy).count();
    return (int) Math.max(0, allowed - copied);
  }

  /** Whether no task of the job may ever have a copy. */
  boolean isZero() {
    return least <= 0 && ofAll <= 0 && ofRunning <= 0;
  }

  private static boolean hasCopy(TaskModel task) {
    return task.attempts().stream()
            .filter(attempt -> attempt.state().isLive() && !task.isClone(attempt))
            .limit(2)
            .count()
        > 1;
  }
}
