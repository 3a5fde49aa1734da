// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.speculator.DroverCounter;
import io.drover.speculator.JobCounters;
import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.thirdparty.com.google.common.collect.HashMultimap;
import org.apache.hadoop.thirdparty.com.google.common.collect.SetMultimap;

/**
 * Counts in the job's counters what clones won, lost and cost. Used on the dispatcher thread only.
 * The amounts are given to the job directly, so that they arrive before it counts the task as done.
 */
final class CloneLedger {
  private final SetMultimap<TaskId, TaskAttemptId> open = HashMultimap.create();

  /** Counts a clone that was made. */
  void launched(Job job, Task task, TaskAttemptId clone) {
    open.put(task.getID(), clone);
    JobCounters.add(job, DroverCounter.CLONES_LAUNCHED, 1);
  }

  /** Counts how the clones of a task fared, after an attempt of it has succeeded. */
  void succeeded(Job job, TaskId id, long now) {
    Set<TaskAttemptId> clones = open.removeAll(id);
    if (clones.isEmpty()) {
      return;
    }
    int won = 0;
    long wasted = 0;
    for (TaskAttempt attempt : job.getTask(id).getAttempts().values()) {
      boolean succeeded = attempt.getState() == TaskAttemptState.SUCCEEDED;
      if (clones.contains(attempt.getID()) && succeeded) {
        won++;
      } else if (!succeeded && attempt.getLaunchTime() > 0) {
        long end = attempt.getFinishTime() > 0 ? attempt.getFinishTime() : now;
        wasted += Math.max(0, end - attempt.getLaunchTime());
      }
    }
    JobCounters.add(job, DroverCounter.CLONES_WON, won);
    JobCounters.add(job, DroverCounter.CLONES_LOST, clones.size() - won);
    JobCounters.add(job, DroverCounter.CLONE_WASTED_MILLIS, wasted);
  }
}
