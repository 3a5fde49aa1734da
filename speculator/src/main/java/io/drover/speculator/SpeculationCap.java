// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.model.PhaseModel;
import io.drover.core.model.TaskModel;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Limits how many tasks of a kind have a copy at the same time. The user sets this limit with
 * Hadoop's own keys, and it holds for Drover's copies as it does for those of Hadoop's speculator.
 *
 * <p>The rule is that of {@code DefaultSpeculator.maybeScheduleASpeculation}: the largest of {@code
 * minimum-allowed-tasks}, of {@code speculative-cap-total-tasks} times the tasks of the kind, and
 * of {@code speculative-cap-running-tasks} times its running tasks. Departure: a clone is not a
 * copy. It is requested together with its task's first attempt, and has limits of its own. Only if
 * all three values are 0 are clones forbidden, too.
 *
 * @param least the number of tasks that may have a copy even if there are few tasks
 * @param ofAll the share of all tasks that may have a copy, 0 to 1
 * @param ofRunning the share of the running tasks that may have a copy, 0 to 1
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

  /** Returns how many more tasks of a phase may get a copy now, at least 0. */
  int free(PhaseModel phase) {
    int ofTotal = (int) Math.max(least, ofAll * phase.tasks().size());
    int allowed = (int) Math.max(ofTotal, ofRunning * phase.running().size());
    long copied = phase.running().stream().filter(SpeculationCap::hasCopy).count();
    return (int) Math.max(0, allowed - copied);
  }

  /** Returns whether no task of the job may ever have a copy. */
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
