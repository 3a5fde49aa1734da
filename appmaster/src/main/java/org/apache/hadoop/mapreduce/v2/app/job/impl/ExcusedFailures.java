// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.Breakers;
import io.drover.speculator.SecondAttempts;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.TaskStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskTAttemptFailedEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskTAttemptKilledEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps failures that second attempts may have caused from the count of those that fail a task.
 *
 * <p><b>What stock Hadoop does.</b> TaskImpl counts an attempt that fails
 * (AttemptFailedTransition), fails the task when {@code maxattempts} have, and tells the allocator
 * of a failure on the node.
 *
 * <p><b>What is done here.</b> TaskImpl is told that the attempt was killed, in the place of that
 * it failed, where {@link SecondAttempts} says so. The attempt itself has failed all the same: its
 * own state, its diagnostics, its line in the history and the job's counter of failed attempts are
 * those of a failure.
 *
 * <p><b>Why no task is left without an attempt, or goes on for ever.</b> A kill is legal in the
 * states RUNNING and SCHEDULED, in which alone this happens. It makes a new attempt unless another
 * one lives ({@link Siblings}), as a failure does. A commit that the attempt was granted is given
 * free by either: AttemptKilledTransition compares the two ids by identity, and both are the
 * attempt's own. The number of failures that are excused is bounded by the number of attempts that
 * were added to the task. What fails fast by its own word (a quota is exceeded) is not excused.
 */
final class ExcusedFailures {
  private static final Logger LOG = LoggerFactory.getLogger(ExcusedFailures.class);

  private final SecondAttempts second;
  private final CircuitBreaker breaker;

  /** For all tasks of a job; on the dispatcher thread. */
  ExcusedFailures(SecondAttempts second, Breakers breakers) {
    this.second = second;
    this.breaker = breakers.of("Excusing failures");
  }

  /** What the task is to handle in the place of an event; mostly the event itself. */
  TaskEvent instead(TaskImpl task, TaskEvent event) {
    boolean isFailure = event instanceof TaskTAttemptFailedEvent;
    return isFailure && isUnderWay(task)
        ? breaker.call(() -> excused(task, (TaskTAttemptFailedEvent) event), event)
        : event;
  }

  private TaskEvent excused(TaskImpl task, TaskTAttemptFailedEvent failure) {
    TaskAttempt failed = task.getAttempt(failure.getTaskAttemptID());
    if (failure.isFastFail() || !second.excuses(task, failed, task.clock.getTime())) {
      return failure;
    }
    LOG.warn("The failure of {} does not count for its task: another attempt ran", failed.getID());
    return new TaskTAttemptKilledEvent(failed.getID(), false);
  }

  private static boolean isUnderWay(TaskImpl task) {
    TaskStateInternal state = task.getInternalState();
    return state == TaskStateInternal.RUNNING || state == TaskStateInternal.SCHEDULED;
  }

  /** Whether a task must not be told of a second attempt, since it may have none. */
  boolean forbids(TaskEvent event) {
    return event.getType() == TaskEventType.T_ADD_SPEC_ATTEMPT && second.objection().isPresent();
  }

  /** A task has handled an event. */
  void handled(TaskImpl task, TaskEvent event) {
    if (event.getType() == TaskEventType.T_ADD_SPEC_ATTEMPT) {
      second.added(task.getID());
    }
  }
}
