// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.attempts;

import io.drover.core.containment.CircuitBreaker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.apache.hadoop.mapred.TaskCompletionEvent;

/**
 * The map completion events that reduces receive, if they are not simply the job's own. A reduce
 * asks for the events from an index on, so events are only ever added, and an index always means
 * the same.
 *
 * <p>After an error, the job's own events follow from the beginning. That is right, because an
 * event that a reduce gets again later changes nothing: what it has read it does not read again,
 * and what it has not, it may list twice under a host, of which one attempt fails and is repeated.
 *
 * <p>The caller has a lock.
 */
public final class ReduceEvents {
  private static final int ALL = Integer.MAX_VALUE;

  /** The job's own events. */
  @FunctionalInterface
  public interface Source {
    /** Returns at most a number of events, from an index on. */
    TaskCompletionEvent[] from(int start, int most);
  }

  private final Source source;
  private final CircuitBreaker breaker;
  private final List<TaskCompletionEvent> sent = new ArrayList<>();
  private int taken;
  private boolean isPlain;

  /**
   * Creates an empty list.
   *
   * @param source the job's events
   * @param breaker is open while reduces get the job's own events
   */
  public ReduceEvents(Source source, CircuitBreaker breaker) {
    this.source = source;
    this.breaker = breaker;
  }

  /** Runs a step that may add events. Returns false if it has failed, or one before it. */
  public boolean run(Runnable step) {
    if (!isPlain && !breaker.run(step)) {
      isPlain = true;
    }
    return !isPlain;
  }

  /** Passes on the events of the job that were not passed on before, with their indices. */
  public void forEachNew(ObjIntConsumer<TaskCompletionEvent> take) {
    for (TaskCompletionEvent event : source.from(taken, ALL - taken)) {
      take.accept(event, taken);
      taken++;
    }
  }

  /** Returns an event of the job as it is now: a success may have become obsolete. */
  public TaskCompletionEvent ofJob(int index) {
    return source.from(index, 1)[0];
  }

  /** Adds an event. */
  public void add(TaskCompletionEvent event) {
    sent.add(event);
  }

  /** Returns how many events have been added: the index of the next one. */
  public int size() {
    return sent.size();
  }

  /** Returns an event that has been added. */
  public TaskCompletionEvent get(int index) {
    return sent.get(index);
  }

  /**
   * Returns what the job's own list has in the place of a success once its attempt has ended. Else
   * reduces that begin later would try to read that output.
   */
  public static TaskCompletionEvent obsolete(TaskCompletionEvent success) {
    return new TaskCompletionEvent(
        success.getEventId(),
        success.getTaskAttemptId(),
        success.idWithinJob(),
        success.isMapTask(),
        TaskCompletionEvent.Status.OBSOLETE,
        success.getTaskTrackerHttp());
  }

  /** Replaces an event by another one, for reduces that have not got it yet. */
  public void set(int index, TaskCompletionEvent by) {
    sent.set(index, by);
  }

  /** Returns at most a number of events from an index on, as far as there are any now. */
  public TaskCompletionEvent[] from(int index, int most) {
    int begin = Math.min(index, sent.size());
    int end = (int) Math.min((long) begin + most, sent.size());
    List<TaskCompletionEvent> answer = new ArrayList<>(sent.subList(begin, end));
    if (isPlain) {
      answer.addAll(
          Arrays.asList(source.from(Math.max(0, index - sent.size()), most - answer.size())));
    }
    return answer.toArray(TaskCompletionEvent[]::new);
  }
}
