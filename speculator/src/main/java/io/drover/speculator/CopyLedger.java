// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * Counts in the job's counters what Drover's copies and restarts won, lost and cost.
 *
 * <p>Only the dispatcher thread uses it. It adds to the job's counters directly. The status event
 * of a task's success is dispatched before the event with which the job counts the task. So even
 * the copy that ends the job is counted before the job's counters are final. JobImpl accepts
 * counters in every state.
 */
final class CopyLedger {
  /** What Drover has done to one task. */
  private static final class Entry {
    /** The number of the first attempt that would not exist without Drover. */
    private final int firstOurs;

    private int copies;

    Entry(int firstOurs) {
      this.firstOurs = firstOurs;
    }
  }

  private final Map<TaskId, Entry> open = new HashMap<>();
  private final DecisionThreadQueue queue;

  CopyLedger(DecisionThreadQueue queue) {
    this.queue = queue;
  }

  /** Counts a copy that was added to the task as its newest attempt. */
  void copied(Job job, Task task) {
    int newest = newestNumber(task);
    open.computeIfAbsent(task.getID(), id -> new Entry(newest)).copies++;
    JobCounters.add(job, DroverCounter.COPIES_LAUNCHED, 1);
  }

  /** Counts an attempt that is about to be killed. Its replacement will be one of Drover's. */
  void killed(Job job, Task task, boolean move) {
    int next = newestNumber(task) + 1;
    open.computeIfAbsent(task.getID(), id -> new Entry(next));
    JobCounters.add(job, move ? DroverCounter.MOVES : DroverCounter.RESTARTS, 1);
  }

  /** Settles the task's entry if the task is done; called whenever an attempt of it reports. */
  void heardOf(Job job, TaskId id, long now) {
    Entry entry = open.isEmpty() ? null : open.get(id);
    if (entry == null) {
      return;
    }
    Task task = job.getTask(id);
    for (TaskAttempt attempt : task.getAttempts().values()) {
      if (attempt.getState() == TaskAttemptState.SUCCEEDED) {
        open.remove(id);
        settle(job, task, attempt, entry, now);
        return;
      }
    }
  }

  private void settle(Job job, Task task, TaskAttempt winner, Entry entry, long now) {
    boolean won = entry.copies > 0 && winner.getID().getId() >= entry.firstOurs;
    JobCounters.add(job, DroverCounter.COPIES_WON, won ? 1 : 0);
    JobCounters.add(job, DroverCounter.COPIES_LOST, entry.copies - (won ? 1 : 0));
    long wasted = 0;
    for (TaskAttempt attempt : task.getAttempts().values()) {
      if (attempt != winner && attempt.getLaunchTime() > 0) {
        long end = attempt.getFinishTime() > 0 ? attempt.getFinishTime() : now;
        wasted += Math.max(0, end - attempt.getLaunchTime());
      }
    }
    JobCounters.add(job, DroverCounter.WASTED_MILLIS, wasted);
    queue.add(new DecisionThreadEvent.Settled(now, winner.getID(), won, wasted));
  }

  private static int newestNumber(Task task) {
    return task.getAttempts().keySet().stream().mapToInt(a -> a.getId()).max().orElse(0);
  }
}
