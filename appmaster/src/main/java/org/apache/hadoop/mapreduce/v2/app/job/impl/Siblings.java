// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import io.drover.appmaster.CopyAntiAffinity;
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
 * <p><b>What stock Hadoop does.</b> When an attempt is killed before its task has succeeded,
 * TaskImpl makes another one, whether or not a copy of it runs (AttemptKilledTransition). So every
 * copy that is killed breeds an ordinary request for a container.
 *
 * <p><b>What is done here.</b> TaskImpl asks {@code createAttempt()} for the new attempt. While it
 * handles a kill, and a living sibling of the killed attempt is there, it is given that sibling.
 * TaskImpl puts it into its tables a second time, where it is already, and tells it to ask for a
 * container, which an attempt that has done so ignores ({@link #isAskedForAgain}).
 *
 * <p><b>Why no task is left without an attempt.</b> All of it happens on the dispatcher thread, so
 * "living" is judged on the very state in which the kill is handled. A sibling counts as living if
 * its end has not begun: it is waiting for a container, starting, running or committing. A clone
 * counts only once it has a container, since it may be withdrawn at any moment before; while it
 * waits, its task gets an ordinary request as ever. If the end of a sibling comes later, by a kill,
 * it is handled here in turn, and the last of a task's attempts has no living sibling: TaskImpl
 * gets a new one. If its end is a failure, TaskImpl removes it from the attempts in progress, finds
 * none, and makes a new one as ever. One whose end has begun, a success too, but is not yet known
 * to the task does not count, so nothing is built on it: then TaskImpl makes a new attempt as ever,
 * and ends it when it hears of the success.
 */
final class Siblings {
  private static final Logger LOG = LoggerFactory.getLogger(Siblings.class);

  private Siblings() {}

  /**
   * The attempt that goes on in the place of one that was killed.
   *
   * @param handled the event that the task handles; null if it handles none
   * @param provisional tells which attempts are clones that have no container yet
   * @return empty if the event is no kill of an attempt of a task under way, or nobody is left
   */
  static Optional<TaskAttemptImpl> instead(
      TaskImpl task, TaskEvent handled, Predicate<TaskAttemptId> provisional) {
    boolean isKill = handled != null && handled.getType() == TaskEventType.T_ATTEMPT_KILLED;
    if (!isKill || !isUnderWay(task)) {
      return Optional.empty();
    }
    for (TaskAttempt attempt : task.getAttempts().values()) {
      boolean killed = attempt.getID().equals(((TaskTAttemptEvent) handled).getTaskAttemptID());
      if (!killed && CopyAntiAffinity.isLiving(attempt) && !provisional.test(attempt.getID())) {
        LOG.info("{} goes on with {}", task.getID(), attempt.getID());
        return Optional.of((TaskAttemptImpl) attempt);
      }
    }
    return Optional.empty();
  }

  private static boolean isUnderWay(TaskImpl task) {
    TaskStateInternal state = task.getInternalState();
    return state == TaskStateInternal.RUNNING || state == TaskStateInternal.SCHEDULED;
  }

  /** Whether an attempt that has asked for its container is told to do so again. */
  static boolean isAskedForAgain(TaskAttemptImpl attempt, TaskAttemptEvent event) {
    boolean asks =
        event.getType() == TaskAttemptEventType.TA_SCHEDULE
            || event.getType() == TaskAttemptEventType.TA_RESCHEDULE;
    return asks && attempt.getState() != TaskAttemptState.NEW;
  }

  /**
   * Whether an event would end the job: a copy for a task none of whose attempts has been launched.
   * Speculators that look at a task and then post the event cannot exclude it.
   */
  static boolean mustNotReach(TaskImpl task, TaskEvent event) {
    if (event.getType() != TaskEventType.T_ADD_SPEC_ATTEMPT) {
      return false;
    }
    TaskStateInternal state = task.getInternalState();
    boolean illegal = state == TaskStateInternal.NEW || state == TaskStateInternal.SCHEDULED;
    if (illegal) {
      LOG.info("no copy for {}, which is {}", task.getID(), state);
    }
    return illegal;
  }
}
