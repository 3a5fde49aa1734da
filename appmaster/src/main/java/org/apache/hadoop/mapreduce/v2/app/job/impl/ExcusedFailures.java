// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import io.drover.appmaster.CopyAntiAffinity;
import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.Breakers;
import io.drover.speculator.SecondAttempts;
import io.drover.speculator.SecondAttempts.Excuse;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.mapreduce.jobhistory.DroverHistory;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskAttemptInfo;
import org.apache.hadoop.mapreduce.jobhistory.JobHistoryParser.TaskInfo;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.app.job.TaskStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskRecoverEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocator.EventType;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocatorEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerFailedEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps failures that a task would not have had without Drover's second attempts from the count of
 * those that fail it.
 *
 * <p><b>What stock Hadoop does.</b> An attempt that fails says so to three: to the job's counters,
 * to the job history and to its task. TaskImpl counts it (AttemptFailedTransition), fails the task
 * when {@code maxattempts} have failed, and tells the allocator of a failure on the node.
 *
 * <p><b>What is done here.</b> Where {@link SecondAttempts} excuses a failure, the attempt is told
 * to end as killed, in the place of that it has failed. This is done where the news comes in, so
 * that all who hear of the attempt's end hear the same: it is KILLED in its state, in the history,
 * in the job's counters (killed attempts, not failed ones), in the completion event, and to the
 * task. What the task reported stays the attempt's diagnostics, followed by a line that says that
 * the failure was excused. Hadoop's allocator hears of a failure on the node as ever, unless it is
 * another attempt that may have caused it.
 *
 * <p><b>Why the history must not say FAILED.</b> The next AppMaster of the job, whether Hadoop's or
 * Drover's, recovers the tasks that have succeeded from the history alone. TaskImpl.recover counts
 * what is FAILED there, and from {@code maxattempts} on it publishes TIPFAILED, before it publishes
 * the success. Reduces take a map that is TIPFAILED for one that the job does without
 * (ShuffleSchedulerImpl.tipFailed) and pass over its success: they end well without its output. In
 * stock Hadoop a task that has succeeded has fewer failures, as each one counts. So nothing that is
 * FAILED in the history may be left out of TaskImpl's count:
 *
 * <ul>
 *   <li>A failure that is excused is a kill, as above.
 *   <li>TaskImpl does not count the failure of an attempt if another one has succeeded (
 *       RetroactiveFailureTransition). In stock there is hardly time for one, as the others are
 *       killed at once. Here they may be held back ({@link SecondCopies}). So an attempt whose task
 *       has succeeded without it ends as killed, whatever it dies of; stock would have killed it.
 *   <li>Histories that earlier versions of Drover have written are corrected before TaskImpl
 *       recovers from them ({@link #toBeHandled}): of a task that has succeeded one failure less
 *       than would fail it stays, and those before were killed.
 * </ul>
 *
 * <p><b>Why no task is left without an attempt, or goes on for ever.</b> A kill is legal in every
 * state in which an attempt can fail and has not begun to end, and only then it is substituted. The
 * attempt's container is ended, its output aborted by the committer, and its task told of a kill,
 * as with any attempt that is killed. The task makes a new one unless another one lives ({@link
 * Siblings}). A commit that the attempt was granted is given free then: AttemptKilledTransition
 * compares the two ids by identity, and both are the attempt's own. The number of failures that are
 * excused is bounded by the number of attempts that were added to the task. What the user fails is
 * not excused. What fails fast by its own word (a disk limit is exceeded) is: it would otherwise
 * end a task whose first attempt is well, and Hadoop passes that wish of an attempt that runs on to
 * nobody (MoveContainerToFailedFinishingTransition). The new attempt of a task that has none left
 * is asked for as Hadoop asks for one after a failure: before reduces, and never as an
 * opportunistic one.
 *
 * <p>Of an attempt that has timed out Hadoop asks its NodeManager for a thread dump. Of one that is
 * excused there is none, since it is killed.
 *
 * <p>A container that could not be launched is given back to the ResourceManager here, as Hadoop
 * does where the attempt fails of that. It does not where one is killed, since then a NodeManager
 * reports the container's end.
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

  /** Those of one task. */
  interface OfTask {
    /** What an attempt is to handle in the place of an event; mostly the event itself. */
    TaskAttemptEvent instead(TaskAttemptImpl attempt, TaskAttemptEvent event);
  }

  /** Those of a task, for its attempts. */
  OfTask of(TaskImpl task) {
    return (attempt, event) -> instead(task, attempt, event);
  }

  private TaskAttemptEvent instead(TaskImpl task, TaskAttemptImpl attempt, TaskAttemptEvent event) {
    return isFailure(event) && CopyAntiAffinity.isLiving(attempt)
        ? breaker.call(() -> excused(task, attempt, event), event)
        : event;
  }

  private static boolean isFailure(TaskAttemptEvent event) {
    return switch (event.getType()) {
      case TA_FAILMSG,
          TA_FAILMSG_BY_CLIENT,
          TA_TIMED_OUT,
          TA_CONTAINER_COMPLETED,
          TA_CONTAINER_LAUNCH_FAILED ->
          true;
      default -> false;
    };
  }

  private TaskAttemptEvent excused(TaskImpl task, TaskAttemptImpl attempt, TaskAttemptEvent event) {
    long now = task.clock.getTime();
    if (hasSucceeded(task)) {
      second.endsBy(task, attempt, now); // the task has not failed, and all others may yet
      return kill(task, attempt, event, "another attempt of the task has succeeded before");
    }
    Optional<Excuse> excuse =
        isByUser(event) || !isUnderWay(task) ? Optional.empty() : second.excuse(task, attempt, now);
    if (excuse.isEmpty()) {
      return event;
    }
    if (excuse.get() == Excuse.SUSPECT) {
      return kill(task, attempt, event, "another attempt of the task ran, and may have caused it");
    }
    countForNode(task, attempt);
    return kill(task, attempt, event, "Drover had added the attempt, and the task goes on");
  }

  private static boolean isByUser(TaskAttemptEvent event) {
    return event.getType() == TaskAttemptEventType.TA_FAILMSG_BY_CLIENT;
  }

  /** As TaskImpl does of each failure that it counts. */
  @SuppressWarnings("unchecked") // the event handler is raw in TaskImpl
  private static void countForNode(TaskImpl task, TaskAttemptImpl attempt) {
    String node = attempt.getAssignedContainerMgrAddress();
    if (node != null) {
      task.eventHandler.handle(new ContainerFailedEvent(attempt.getID(), node));
    }
  }

  /** Whether an attempt has, whose success the task knows or is about to hear of. */
  private static boolean hasSucceeded(TaskImpl task) {
    return task.getAttempts().values().stream()
        .anyMatch(attempt -> attempt.getState() == TaskAttemptState.SUCCEEDED);
  }

  private static boolean isUnderWay(TaskImpl task) {
    TaskStateInternal state = task.getInternalState();
    return state == TaskStateInternal.RUNNING || state == TaskStateInternal.SCHEDULED;
  }

  @SuppressWarnings("unchecked") // the event handler is raw in TaskImpl
  private static TaskAttemptEvent kill(
      TaskImpl task, TaskAttemptImpl attempt, TaskAttemptEvent failure, String why) {
    LOG.warn("The failure of {} is excused: {}", attempt.getID(), why);
    if (failure.getType() == TaskAttemptEventType.TA_CONTAINER_LAUNCH_FAILED) {
      task.eventHandler.handle(
          new ContainerAllocatorEvent(attempt.getID(), EventType.CONTAINER_DEALLOCATE));
    }
    return new TaskAttemptKillEvent(
        attempt.getID(), "Drover: this failure is excused and counts as a kill: " + why, true);
  }

  /** Whether a task must not be told of a second attempt, since it may have none. */
  boolean forbids(TaskEvent event) {
    return event.getType() == TaskEventType.T_ADD_SPEC_ATTEMPT && second.objection().isPresent();
  }

  /** A task is about to handle an event. */
  void toBeHandled(TaskImpl task, TaskEvent event) {
    if (event instanceof TaskRecoverEvent recovery) {
      breaker.run(() -> correct(recovery.getTaskInfo(), task.getMaxAttempts() - 1));
    }
  }

  /**
   * Leaves a task that has succeeded no more failures than it can have had.
   *
   * @param most with which it could succeed
   */
  private static void correct(TaskInfo task, int most) {
    if (!TaskState.SUCCEEDED.toString().equals(task.getTaskStatus())) {
      return;
    }
    List<TaskAttemptInfo> failed =
        task.getAllTaskAttempts().values().stream()
            .filter(a -> TaskAttemptState.FAILED.toString().equals(a.getTaskStatus()))
            .sorted(Comparator.comparingLong(TaskAttemptInfo::getFinishTime))
            .toList();
    for (TaskAttemptInfo excused : failed.subList(0, Math.max(0, failed.size() - most))) {
      LOG.warn("{} is recovered as killed: its task has succeeded", excused.getAttemptId());
      DroverHistory.killed(excused);
    }
  }
}
