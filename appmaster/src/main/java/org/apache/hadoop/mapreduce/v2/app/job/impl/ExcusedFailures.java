// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import io.drover.appmaster.attempts.HadoopAttempts;
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
 * Excuses failures that a task would not have had without Drover's second attempts, so that they
 * are not among those that fail the task.
 *
 * <p><b>What stock Hadoop does.</b> A failed attempt is reported to the job's counters, to the job
 * history and to its task. TaskImpl counts it (AttemptFailedTransition), fails the task after
 * {@code maxattempts} failures, and tells the allocator of a failure on the node.
 *
 * <p><b>What is done here.</b> If {@link SecondAttempts} excuses a failure, the attempt gets a kill
 * event in place of the failure event. The event is replaced where it arrives, so that everything
 * shows the same end: the attempt is KILLED in its state, in the history, in the job's counters
 * (killed attempts, not failed ones), in the completion event, and for the task. What the task
 * reported stays in the attempt's diagnostics, followed by a line that says that the failure was
 * excused. Hadoop's allocator still learns of a failure on the node, unless another attempt may
 * have caused it.
 *
 * <p><b>Why the history must not say FAILED.</b> The next AppMaster of the job, Hadoop's or
 * Drover's, recovers the succeeded tasks from the history alone. TaskImpl.recover counts the FAILED
 * attempts there. If there are {@code maxattempts} or more, it publishes TIPFAILED before it
 * publishes the success. Reduces take a TIPFAILED map for one that the job does without
 * (ShuffleSchedulerImpl.tipFailed) and ignore its success, so they succeed without its output. In
 * stock Hadoop, a succeeded task has fewer failures, because each one counts. So TaskImpl must have
 * counted every attempt that is FAILED in the history:
 *
 * <ul>
 *   <li>An excused failure is a kill, as above.
 *   <li>TaskImpl does not count the failure of an attempt if another one has succeeded
 *       (RetroactiveFailureTransition). In stock Hadoop there is hardly time for that, because the
 *       other attempts are killed at once. Here that kill may be held back ({@link SecondCopies}).
 *       So an attempt whose task has succeeded without it ends as killed, whatever the cause; stock
 *       would have killed it.
 *   <li>Histories that earlier versions of Drover have written are corrected before TaskImpl
 *       recovers from them ({@link #toBeHandled}). A succeeded task keeps one failure less than
 *       would fail it, and its earlier failures become kills.
 * </ul>
 *
 * <p><b>Why no task is left without an attempt, or goes on for ever.</b> A kill is legal in every
 * state in which an attempt can fail and has not begun to end, and the event is replaced only in
 * these states. As with any killed attempt, the container is ended, the committer aborts the
 * output, and the task learns of a kill. The task makes a new attempt unless another one lives
 * ({@link Siblings}). A commit that the attempt was granted is released: AttemptKilledTransition
 * compares the two ids by identity, and both are the attempt's own. Until then, others that want to
 * commit wait for it ({@link CommitRequests}). At most two failures are excused for each attempt
 * that Drover added or restarted. A failure that the user orders is not excused. A failure that
 * asks to fail the whole task at once (a disk limit is exceeded) is excused, because it would end a
 * task whose first attempt is healthy. Hadoop itself drops that wish of a running attempt
 * (MoveContainerToFailedFinishingTransition). If the task has no attempt left, the new one is
 * requested as after a failure: before reduces, and never as opportunistic.
 *
 * <p>Hadoop asks the NodeManager for a thread dump of an attempt that has timed out. An excused
 * attempt leaves none, because it is killed.
 *
 * <p>A container that could not be launched is given back to the ResourceManager here, as Hadoop
 * does if that makes the attempt fail. Hadoop does not do it for a killed attempt, because then a
 * NodeManager reports the end of the container.
 */
final class ExcusedFailures {
  private static final Logger LOG = LoggerFactory.getLogger(ExcusedFailures.class);

  private final SecondAttempts second;
  private final CircuitBreaker breaker;

  /** Creates the rule for all tasks of a job. It is used on the dispatcher thread. */
  ExcusedFailures(SecondAttempts second, Breakers breakers) {
    this.second = second;
    this.breaker = breakers.of("Excusing failures");
  }

  /** The rule for the attempts of one task. */
  interface OfTask {
    /** Returns the event that an attempt handles in place of another; mostly the event itself. */
    TaskAttemptEvent instead(TaskAttemptImpl attempt, TaskAttemptEvent event);
  }

  OfTask of(TaskImpl task) {
    return (attempt, event) -> instead(task, attempt, event);
  }

  private TaskAttemptEvent instead(TaskImpl task, TaskAttemptImpl attempt, TaskAttemptEvent event) {
    return isFailure(event) && HadoopAttempts.isLiving(attempt)
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
      second.endsBy(task, attempt, now); // this task is safe, but others may fail the same way
      return kill(task, attempt, event, "another attempt of the task has already succeeded");
    }
    Optional<Excuse> excuse =
        isByUser(event) || !isUnderWay(task) ? Optional.empty() : second.excuse(task, attempt, now);
    if (excuse.isEmpty()) {
      return event;
    }
    if (excuse.get() == Excuse.SUSPECT) {
      return kill(task, attempt, event, "another attempt of the task ran and may be the cause");
    }
    countForNode(task, attempt);
    return kill(task, attempt, event, "Drover had added the attempt, and the task continues");
  }

  private static boolean isByUser(TaskAttemptEvent event) {
    return event.getType() == TaskAttemptEventType.TA_FAILMSG_BY_CLIENT;
  }

  /** Reports a failure on the node, as TaskImpl does for each failure that it counts. */
  @SuppressWarnings("unchecked") // the event handler is raw in TaskImpl
  private static void countForNode(TaskImpl task, TaskAttemptImpl attempt) {
    String node = attempt.getAssignedContainerMgrAddress();
    if (node != null) {
      task.eventHandler.handle(new ContainerFailedEvent(attempt.getID(), node));
    }
  }

  /** Returns whether an attempt has succeeded, even if the task has not heard of it yet. */
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

  /** Returns whether an event would add an attempt although the job allows no second attempts. */
  boolean forbids(TaskEvent event) {
    return event.getType() == TaskEventType.T_ADD_SPEC_ATTEMPT && second.objection().isPresent();
  }

  /** Prepares an event that a task is about to handle: corrects the history to recover from. */
  void toBeHandled(TaskImpl task, TaskEvent event) {
    if (event instanceof TaskRecoverEvent recovery) {
      breaker.run(() -> correct(recovery.getTaskInfo(), task.getMaxAttempts() - 1));
    }
  }

  /**
   * Turns the earliest failures of a succeeded task into kills.
   *
   * @param most the largest number of failures with which it could succeed
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
