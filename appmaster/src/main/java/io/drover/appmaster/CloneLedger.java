// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.action.TimeSaved;
import io.drover.speculator.DroverCounter;
import io.drover.speculator.JobCounters;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.thirdparty.com.google.common.collect.HashMultimap;
import org.apache.hadoop.thirdparty.com.google.common.collect.SetMultimap;

/**
 * Counts in the job's counters what clones won, lost, cost and saved. Used on the dispatcher thread
 * only. The amounts are given to the job directly, so that they arrive before it counts the task as
 * done.
 */
final class CloneLedger {
  private final SetMultimap<TaskId, TaskAttemptId> open = HashMultimap.create();
  private final BiConsumer<ActionKind, ActionTotals> listener;

  /**
   * Creates a ledger without clones.
   *
   * @param listener is told what is counted
   */
  CloneLedger(BiConsumer<ActionKind, ActionTotals> listener) {
    this.listener = listener;
  }

  /** Counts a clone that was made. */
  void launched(Job job, Task task, TaskAttemptId clone) {
    open.put(task.getID(), clone);
    JobCounters.add(job, DroverCounter.CLONES_LAUNCHED, 1);
    listener.accept(ActionKind.CLONE, ActionTotals.launched(1));
  }

  /**
   * Counts how the clones of a task fared, after an attempt of it has succeeded or the task has
   * failed or was killed. In that case only the clones' time counts as wasted: without them, the
   * other attempts would have run, and failed, as well.
   *
   * @param reports of the task's attempts
   */
  void ended(Job job, TaskId id, AttemptReports reports, long now) {
    Set<TaskAttemptId> clones = open.removeAll(id);
    if (clones.isEmpty()) {
      return;
    }
    int won = 0;
    long wasted = 0;
    long ofOthers = 0;
    boolean isDone = false;
    double winner = Double.NaN;
    double others = Double.NaN;
    for (TaskAttempt attempt : job.getTask(id).getAttempts().values()) {
      boolean succeeded = attempt.getState() == TaskAttemptState.SUCCEEDED;
      isDone |= succeeded;
      boolean isClone = clones.contains(attempt.getID());
      if (isClone && succeeded) {
        won++;
        winner = (now - attempt.getLaunchTime()) / 1e3;
      } else if (!succeeded && attempt.getLaunchTime() > 0) {
        if (!isClone) {
          double one = reports.remaining(attempt.getID(), attempt.getLaunchTime(), now);
          others = Double.isNaN(others) ? one : Math.min(others, one);
        }
        long end = attempt.getFinishTime() > 0 ? attempt.getFinishTime() : now;
        long ran = Math.max(0, end - attempt.getLaunchTime());
        wasted += isClone ? ran : 0;
        ofOthers += isClone ? 0 : ran;
      }
    }
    wasted += isDone ? ofOthers : 0;
    long saved = won > 0 ? TimeSaved.expectedMillis(others, winner) : 0;
    JobCounters.add(job, DroverCounter.CLONES_WON, won);
    JobCounters.add(job, DroverCounter.CLONES_LOST, clones.size() - won);
    JobCounters.add(job, DroverCounter.CLONE_WASTED_MILLIS, wasted);
    JobCounters.add(job, DroverCounter.CLONE_SAVED_MILLIS, saved);
    listener.accept(
        ActionKind.CLONE, ActionTotals.settled(won, clones.size() - won, wasted, saved));
  }
}
