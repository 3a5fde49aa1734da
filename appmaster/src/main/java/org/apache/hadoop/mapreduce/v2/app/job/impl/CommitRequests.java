// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import io.drover.appmaster.attempts.HadoopAttempts;
import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.TaskStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskTAttemptEvent;

/**
 * Answers an attempt's request to commit that came at a bad time.
 *
 * <p><b>What stock Hadoop does.</b> An attempt asks once, and then polls for ever whether it may
 * commit, which counts as progress. TaskImpl permits the first one that asks
 * (AttemptCommitPendingTransition) and kills all others. A task that has succeeded ignores
 * requests. If the permitted attempt fails or is killed, the permission is free again as soon as
 * the task hears of it. Two cases are rare in stock Hadoop and not with Drover:
 *
 * <ul>
 *   <li>The permitted attempt is being killed. Its task hears of that only when its container has
 *       ended, which takes minutes if the node does not answer. A healthy sibling that asks
 *       meanwhile is killed in favour of an attempt that will not commit. A failure that is excused
 *       ({@link ExcusedFailures}) is such a kill. A task hears of a counted one at once if the
 *       attempt itself reports it, but of one by a timeout or by the user only when the container
 *       has ended.
 *   <li>The first copy of a map's output is lost while an attempt that was held back ({@link
 *       SecondCopies}) waits to commit. The task had ignored the request. So nobody would ever
 *       permit or end the attempt, and because of it the task may make no new one.
 * </ul>
 *
 * <p><b>What is done here.</b> A request that arrives while the permitted attempt is ending does
 * not reach TaskImpl ({@link #mustNotReach}). When the task has handled the end of an attempt and
 * none has the permission, an attempt that waits to commit asks once more ({@link #open}).
 *
 * <p><b>Why no request is lost, and none counts twice.</b> An attempt that is ending reports its
 * end to its task, and that is when waiting attempts are looked for. An attempt's first request may
 * still be in the dispatcher's queue then. It does not reach TaskImpl either, because its attempt
 * has the permission by now, and TaskImpl would kill it. At no time may two attempts commit:
 * TaskImpl alone gives and takes back the permission, as ever.
 */
final class CommitRequests {
  private CommitRequests() {}

  /**
   * Returns whether TaskImpl would kill an attempt for its request although no other can commit.
   */
  static boolean mustNotReach(TaskImpl task, TaskEvent event) {
    if (event.getType() != TaskEventType.T_ATTEMPT_COMMIT_PENDING) {
      return false;
    }
    TaskAttemptId asks = ((TaskTAttemptEvent) event).getTaskAttemptID();
    return permitted(task)
        .filter(attempt -> attempt.getID().equals(asks) || isLost(attempt))
        .isPresent();
  }

  /**
   * Returns the request of an attempt that waits to commit while none is permitted to.
   *
   * @param handled the event that the task has just handled
   */
  static Optional<TaskEvent> open(TaskImpl task, TaskEvent handled) {
    if (!HadoopAttempts.isEnd(handled.getType()) || !canPermit(task)) {
      return Optional.empty();
    }
    return attempts(task).stream()
        .filter(attempt -> attempt.getState() == TaskAttemptState.COMMIT_PENDING)
        .findFirst()
        .filter(attempt -> permitted(task).isEmpty())
        .map(
            attempt ->
                new TaskTAttemptEvent(attempt.getID(), TaskEventType.T_ATTEMPT_COMMIT_PENDING));
  }

  /** Returns whether a request is legal. A map that was SCHEDULED again is launched for it. */
  private static boolean canPermit(TaskImpl task) {
    TaskStateInternal state = task.getInternalState();
    return state == TaskStateInternal.RUNNING
        || (state == TaskStateInternal.SCHEDULED && task.getType() == TaskType.MAP);
  }

  private static Optional<TaskAttempt> permitted(TaskImpl task) {
    return attempts(task).stream().filter(attempt -> task.canCommit(attempt.getID())).findFirst();
  }

  private static Collection<TaskAttempt> attempts(TaskImpl task) {
    return task.getAttempts().values();
  }

  private static boolean isLost(TaskAttempt attempt) {
    return !HadoopAttempts.isLiving(attempt) && attempt.getState() != TaskAttemptState.SUCCEEDED;
  }
}
