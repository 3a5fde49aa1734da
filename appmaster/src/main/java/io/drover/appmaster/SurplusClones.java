// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.CloneRecords.Clone;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;

/**
 * Finds the clones that a job no longer needs because it has become unlikely to succeed.
 *
 * @param jobs returns the job, once it is made
 */
record SurplusClones(Supplier<Job> jobs, CloneCounts counts, CloneRecords records) {
  /** Returns whether a clone's task has more attempts by now than it needs. */
  boolean isTooMany(Clone clone) {
    return records.open(clone.task()) >= counts.of(clone.task());
  }

  /** Runs an action if the task of a clone that has a container does as well without it. */
  void ifNotNeeded(Clone clone, Runnable action) {
    if (isTooMany(clone) && !isAhead(clone.attempt())) {
      action.run();
    }
  }

  /**
   * Returns whether no elder attempt of a clone's task has come as far. Nobody waits for the room
   * of such a clone, and if the job succeeds after all, its end would have cost time.
   */
  private boolean isAhead(TaskAttemptId clone) {
    Task task = jobs.get().getTask(clone.getTaskId());
    float progress = task.getAttempt(clone).getProgress();
    return task.getAttempts().values().stream()
        .filter(a -> a.getID().getId() < clone.getId())
        .filter(a -> a.getState() == TaskAttemptState.RUNNING)
        .noneMatch(elder -> elder.getProgress() >= progress);
  }
}
