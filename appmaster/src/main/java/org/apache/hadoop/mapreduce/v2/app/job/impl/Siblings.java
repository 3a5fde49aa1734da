// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import io.drover.appmaster.attempts.HadoopAttempts;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.TaskStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskTAttemptEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a task lose one of several attempts without asking for a new one.
 *
 * <p><b>What stock Hadoop does.</b> If an attempt is killed before its task has succeeded, TaskImpl
 * makes another one, whether or not a copy of it runs (AttemptKilledTransition). So every killed
 * copy leads to an ordinary request for a container.
 *
 * <p><b>What is done here.</b> TaskImpl calls {@code createAttempt()} for the new attempt. While it
 * handles a kill and the killed attempt has a living sibling, it gets that sibling. TaskImpl puts
 * it into its tables, where it already is, and tells it to ask for a container. An attempt that has
 * already done so ignores that ({@link #isAskedForAgain}).
 *
 * <p><b>Why no task is left without an attempt.</b> Everything happens on the dispatcher thread, so
 * "living" is judged by the very state in which the kill is handled. A sibling is living if its end
 * has not begun: it waits for a container, starts, runs or commits. A clone counts only once it has
 * a container, because it may be withdrawn at any moment before. While it waits, its task gets an
 * ordinary request as usual. If a sibling is killed later, that kill is handled here in turn. The
 * last attempt of a task has no living sibling, so TaskImpl gets a new one. If the sibling fails,
 * TaskImpl removes it from the attempts in progress, finds none, and makes a new one as usual. A
 * sibling does not count if its end, even a success, has begun but is not yet known to the task.
 * Then TaskImpl makes a new attempt as usual and ends it when it learns of the success.
 */
final class Siblings {
  private static final Logger LOG = LoggerFactory.getLogger(Siblings.class);

  private Siblings() {}

  /**
   * Returns the attempt that goes on in place of a killed one.
   *
   * @param handled the event that the task is handling; null if there is none
   * @param provisional tells which attempts are clones that have no container yet
   * @return empty if the event does not kill an attempt of an unfinished task, or none is left
   */
  static Optional<TaskAttemptImpl> instead(
      TaskImpl task, TaskEvent handled, Predicate<TaskAttemptId> provisional) {
    boolean isKill = handled != null && handled.getType() == TaskEventType.T_ATTEMPT_KILLED;
    if (!isKill || !isUnderWay(task)) {
      return Optional.empty();
    }
    for (TaskAttempt attempt : task.getAttempts().values()) {
      boolean killed = attempt.getID().equals(((TaskTAttemptEvent) handled).getTaskAttemptID());
      if (!killed && HadoopAttempts.isLiving(attempt) && !provisional.test(attempt.getID())) {
        LOG.info("{} continues with {}", task.getID(), attempt.getID());
        return Optional.of((TaskAttemptImpl) attempt);
      }
    }
    return Optional.empty();
  }

  private static boolean isUnderWay(TaskImpl task) {
    TaskStateInternal state = task.getInternalState();
    return state == TaskStateInternal.RUNNING || state == TaskStateInternal.SCHEDULED;
  }

  /** Returns whether an attempt that has asked for its container is told to do so again. */
  static boolean isAskedForAgain(TaskAttemptImpl attempt, TaskAttemptEvent event) {
    boolean asks =
        event.getType() == TaskAttemptEventType.TA_SCHEDULE
            || event.getType() == TaskAttemptEventType.TA_RESCHEDULE;
    return asks && attempt.getState() != TaskAttemptState.NEW;
  }

  /**
   * Returns whether an event would end the job: it adds a copy to a task that has no launched
   * attempt. Speculators that look at a task and then post the event cannot exclude that.
   */
  static boolean mustNotReach(TaskImpl task, TaskEvent event) {
    if (event.getType() != TaskEventType.T_ADD_SPEC_ATTEMPT) {
      return false;
    }
    TaskStateInternal state = task.getInternalState();
    boolean illegal = state == TaskStateInternal.NEW || state == TaskStateInternal.SCHEDULED;
    if (illegal) {
      LOG.info("No copy for {} in state {}", task.getID(), state);
    }
    return illegal;
  }
}
