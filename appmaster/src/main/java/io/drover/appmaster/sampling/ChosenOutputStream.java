// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import io.drover.appmaster.attempts.ReduceEvents;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapred.TaskCompletionEvent.Status;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * The map completion events that the reduces of a job with late binding receive.
 *
 * <p>There are none until the K maps are chosen and the choice is in the state file. Then each map
 * that is not chosen is sent as TIPFAILED, on which a reduce stops waiting for it (EventFetcher,
 * ShuffleSchedulerImpl.tipFailed), and the job's own events about the chosen maps follow. A success
 * is passed on only if the attempt has read the block that its map stands for.
 *
 * <p>Events are only ever appended, so an index always means the same to every reduce. A success
 * becomes OBSOLETE when its attempt ends, as in the job's own list. Used on the threads of the RPC
 * server.
 */
final class ChosenOutputStream {
  private final IntFunction<TaskCompletionEvent[]> events;
  private final Predicate<TaskId> chosen;
  private final Predicate<TaskAttemptId> counts;
  private final List<TaskCompletionEvent> sent = new ArrayList<>();
  private final Map<TaskAttemptId, Integer> successes = new HashMap<>();
  private int taken;
  private boolean begun;

  /**
   * Creates a stream that is at its beginning.
   *
   * @param events returns the job's events from an index on
   * @param chosen tells whether a map is chosen; asked only when all are
   * @param counts tells whether an attempt has read the block that its map stands for
   */
  ChosenOutputStream(
      IntFunction<TaskCompletionEvent[]> events,
      Predicate<TaskId> chosen,
      Predicate<TaskAttemptId> counts) {
    this.events = events;
    this.chosen = chosen;
    this.counts = counts;
  }

  /** Begins with the maps that are not chosen. */
  synchronized void begin(List<TaskId> others) {
    if (!begun) {
      for (TaskId map : others) {
        org.apache.hadoop.mapred.TaskID id = TypeConverter.fromYarn(map);
        sent.add(
            new TaskCompletionEvent(
                sent.size(),
                new org.apache.hadoop.mapred.TaskAttemptID(id, 0),
                map.getId(),
                true,
                Status.TIPFAILED,
                ""));
      }
      begun = true;
    }
  }

  /** Returns at most a number of events from an index on, as far as there are any now. */
  synchronized TaskCompletionEvent[] next(int from, int most) {
    if (begun) {
      for (TaskCompletionEvent event : events.apply(taken)) {
        taken++;
        TaskAttemptId attempt = TypeConverter.toYarn(event.getTaskAttemptId());
        boolean isWrong = event.getTaskStatus() == Status.SUCCEEDED && !counts.test(attempt);
        if (chosen.test(attempt.getTaskId()) && !isWrong) {
          send(attempt, event);
        }
      }
    }
    int begin = Math.min(from, sent.size());
    int end = (int) Math.min((long) begin + most, sent.size());
    return sent.subList(begin, end).toArray(TaskCompletionEvent[]::new);
  }

  private void send(TaskAttemptId attempt, TaskCompletionEvent event) {
    Integer success = successes.remove(attempt);
    if (success != null) {
      sent.set(success, ReduceEvents.obsolete(sent.get(success)));
    }
    if (event.getTaskStatus() == Status.SUCCEEDED) {
      successes.put(attempt, sent.size());
    }
    sent.add(event);
  }
}
