// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.action.TimeSaved;
import io.drover.core.model.Evidence;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/**
 * Counts in the job's counters what Drover's copies and restarts won, lost, cost and saved.
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

    /** When Drover first acted on the task; what had ended by then did so without Drover. */
    private final long began;

    /** When the task would have been done without Drover; 0 if nothing is known about that. */
    private final long expectedEnd;

    private int copies;
    private int restarts;

    Entry(int firstOurs, long began, long expectedEnd) {
      this.firstOurs = firstOurs;
      this.began = began;
      this.expectedEnd = expectedEnd;
    }
  }

  private final Map<TaskId, Entry> open = new HashMap<>();

  /**
   * The number of the newest attempt of each task that has been settled. Such a task may run again,
   * if its output is lost.
   */
  private final Map<TaskId, Integer> settled = new HashMap<>();

  private final DecisionThreadQueue queue;
  private final BiConsumer<ActionKind, ActionTotals> listener;

  /**
   * Creates a ledger without entries.
   *
   * @param queue for the decision log
   * @param listener is told what is counted
   */
  CopyLedger(DecisionThreadQueue queue, BiConsumer<ActionKind, ActionTotals> listener) {
    this.queue = queue;
    this.listener = listener;
  }

  /**
   * Counts a copy that was added to the task as its newest attempt.
   *
   * @param evidence what the decision rests on
   */
  void copied(Job job, Task task, Evidence evidence, long now) {
    entry(task, newestNumber(task), now, expectedEnd(evidence, now)).copies++;
    JobCounters.add(job, DroverCounter.COPIES_LAUNCHED, 1);
    listener.accept(ActionKind.COPY, ActionTotals.launched(1));
  }

  /**
   * Counts an attempt that is about to be killed. Its replacement will be one of Drover's.
   *
   * @param evidence what the decision rests on
   */
  void restarted(Job job, Task task, Evidence evidence, long now) {
    entry(task, newestNumber(task) + 1, now, expectedEnd(evidence, now)).restarts++;
    JobCounters.add(job, DroverCounter.RESTARTS, 1);
    listener.accept(ActionKind.RESTART, ActionTotals.launched(1));
  }

  /** Counts a copy that is about to be killed because of its machine, and will be replaced. */
  void moved(Job job, Task task, long now) {
    entry(task, newestNumber(task) + 1, now, 0);
    JobCounters.add(job, DroverCounter.MOVES, 1);
  }

  private Entry entry(Task task, int firstOurs, long now, long expectedEnd) {
    return open.computeIfAbsent(task.getID(), id -> new Entry(firstOurs, now, expectedEnd));
  }

  private static long expectedEnd(Evidence evidence, long now) {
    long expected = TimeSaved.expectedMillis(evidence.tRem(), evidence.tNew());
    return expected > 0 ? now + expected : 0;
  }

  /** Settles the task's entry if the task is done; called whenever an attempt of it reports. */
  void heardOf(Job job, TaskId id, long now) {
    if (open.containsKey(id)) {
      Task task = job.getTask(id);
      Optional<TaskAttempt> winner = winner(task);
      if (winner.isPresent()) {
        settle(job, task, winner, open.remove(id), now);
      }
    }
  }

  /** Settles the task's entry, because the task has ended: done, failed or killed. */
  void ended(Job job, TaskId id, long now) {
    if (open.containsKey(id)) {
      Task task = job.getTask(id);
      settle(job, task, winner(task), open.remove(id), now);
    }
  }

  private static Optional<TaskAttempt> winner(Task task) {
    return task.getAttempts().values().stream()
        .filter(attempt -> attempt.getState() == TaskAttemptState.SUCCEEDED)
        .findFirst();
  }

  private void settle(Job job, Task task, Optional<TaskAttempt> winner, Entry entry, long now) {
    boolean isOurs = winner.isPresent() && winner.get().getID().getId() >= entry.firstOurs;
    boolean won = entry.copies > 0 && isOurs;
    JobCounters.add(job, DroverCounter.COPIES_WON, won ? 1 : 0);
    JobCounters.add(job, DroverCounter.COPIES_LOST, entry.copies - (won ? 1 : 0));
    long wasted = wasted(task, winner.orElse(null), entry, now);
    long saved = isOurs ? Math.max(0, entry.expectedEnd - now) : 0;
    JobCounters.add(job, DroverCounter.WASTED_MILLIS, wasted);
    JobCounters.add(job, DroverCounter.SAVED_MILLIS, saved);
    queue.add(
        new DecisionThreadEvent.Settled(
            now, task.getID(), winner.map(TaskAttempt::getID), won, wasted, saved));
    tell(entry, won, wasted, saved);
  }

  /**
   * Returns how long attempts worked in vain that were not over when Drover acted. Where none has
   * succeeded, only as many count as Drover has added, from its first one on: without it, the
   * others would have run, and failed, as well.
   */
  private long wasted(Task task, TaskAttempt winner, Entry entry, long now) {
    Integer before = settled.put(task.getID(), newestNumber(task));
    long wasted = 0;
    int last = winner == null ? entry.firstOurs + entry.copies + entry.restarts : Integer.MAX_VALUE;
    int first = winner == null ? entry.firstOurs : 0;
    for (TaskAttempt attempt : task.getAttempts().values()) {
      int number = attempt.getID().getId();
      long end = attempt.getFinishTime() > 0 ? attempt.getFinishTime() : now;
      boolean isSettled = before != null && number <= before;
      boolean counts = end >= entry.began && !isSettled && attempt.getLaunchTime() > 0;
      if (counts && attempt != winner && number >= first && number < last) {
        wasted += Math.max(0, end - attempt.getLaunchTime());
      }
    }
    return wasted;
  }

  /** What a task wasted and saved counts for its copies, or for its restarts if it had none. */
  private void tell(Entry entry, boolean copyWon, long wasted, long saved) {
    boolean hasCopies = entry.copies > 0;
    if (hasCopies) {
      int won = copyWon ? 1 : 0;
      listener.accept(
          ActionKind.COPY, ActionTotals.settled(won, entry.copies - won, wasted, saved));
    }
    if (entry.restarts > 0) {
      int won = !hasCopies && saved > 0 ? 1 : 0;
      int lost = entry.restarts - won;
      listener.accept(
          ActionKind.RESTART,
          hasCopies
              ? ActionTotals.settled(0, lost, 0, 0)
              : ActionTotals.settled(won, lost, wasted, saved));
    }
  }

  private static int newestNumber(Task task) {
    return task.getAttempts().keySet().stream().mapToInt(a -> a.getId()).max().orElse(0);
  }
}
