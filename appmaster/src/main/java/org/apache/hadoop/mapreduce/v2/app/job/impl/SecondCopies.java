// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import io.drover.appmaster.MapCopies;
import io.drover.appmaster.shuffle.ShuffleClient;
import java.util.Optional;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.TaskStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskTAttemptEvent;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a second attempt of a map succeed after the first, so that its output can stand in for the
 * first one's. {@link MapCopies} decides. One object serves one task, on the dispatcher thread.
 *
 * <p><b>What stock Hadoop does.</b> With the first success (AttemptSucceededTransition), a task
 * publishes the completion event for the reduces, is counted by the job, and sends TA_KILL to all
 * other attempts. The task sends its events through this object, which may hold such a kill back.
 *
 * <p><b>Why a second success is safe.</b> TaskImpl allows for it, because a success may be under
 * way when the kill is sent. AttemptSucceededAtSucceededTransition removes the attempt from those
 * in progress and does nothing else. There is no completion event, no JobTaskEvent and no
 * TaskFinishedEvent, so the job's counts, progress and counters (those of {@code
 * successfulAttempt}) do not change. In the history it is a finished attempt of a task whose
 * successful attempt is another one. A later failure or kill of it is ignored as well
 * (RetroactiveFailureTransition and RetroactiveKilledTransition, for all but the successful
 * attempt). Recovery adds the attempts of a task in the order of their ends, and takes the first
 * success as the successful one (Hadoop's TestRecovery has the case). Until the application ends,
 * ShuffleHandler finds the output by the attempt's own id. An attempt that wants to commit after
 * the first success gets no permission, and ends with its kill, unless the first copy is lost
 * before ({@link CommitRequests}).
 *
 * <p><b>If the first copy is lost</b>, its failure or kill revokes the task's success, and stock
 * makes a new attempt. Here TaskImpl gets the living copy in place of a new attempt, and the copy's
 * success is reported once more, so that the task succeeds with it. Completion event, job counts
 * and history are those of a new attempt that took no time. From then on, Hadoop looks after this
 * copy. So no running task has a succeeded attempt that it does not count.
 *
 * <p><b>If the second attempt still runs then</b>, it goes on as the task's own attempt, and this
 * object no longer ends it. Because of it, TaskImpl may have made no new attempt and be SCHEDULED.
 * In that state, a success or a request to commit is an error that would end the job. So the task
 * first gets a launch event ({@link #provesLaunch}), which states a fact and moves it to RUNNING.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // EventHandler, as TaskImpl has it
final class SecondCopies implements EventHandler {
  private static final Logger LOG = LoggerFactory.getLogger(SecondCopies.class);

  private final EventHandler hadoop;
  private final MapCopies copies;
  private DroverMapTask task;

  /**
   * Creates the handler between a task and Hadoop.
   *
   * @param hadoop handles the events that the task sends
   */
  SecondCopies(EventHandler hadoop, MapCopies copies) {
    this.hadoop = hadoop;
    this.copies = copies;
  }

  /** Sets the task, which does not exist yet when this object is made. */
  void serves(DroverMapTask itsTask) {
    task = itsTask;
  }

  /** Handles an event that the task or one of its attempts sends. */
  @Override
  public void handle(Event event) {
    boolean isHeld =
        event instanceof TaskAttemptKillEvent kill
            && task.handled() instanceof TaskTAttemptEvent cause
            && cause.getType() == TaskEventType.T_ATTEMPT_SUCCEEDED
            && copies.holdsBack(task, cause.getTaskAttemptID(), kill);
    if (isHeld) {
      LOG.info("{} may continue for a while", ((TaskAttemptKillEvent) event).getTaskAttemptID());
    } else {
      hadoop.handle(event);
    }
  }

  /** Returns whether an event shows that an attempt runs although its task is SCHEDULED. */
  boolean provesLaunch(TaskEvent event) {
    boolean isOfRunning =
        event.getType() == TaskEventType.T_ATTEMPT_SUCCEEDED
            || event.getType() == TaskEventType.T_ATTEMPT_COMMIT_PENDING;
    return isOfRunning && task.getInternalState() == TaskStateInternal.SCHEDULED;
  }

  /** Returns the attempt that TaskImpl gets instead of a new one after an output is lost. */
  Optional<TaskAttemptImpl> instead() {
    return task.getInternalState() == TaskStateInternal.SUCCEEDED
        ? copies.spare(task.getID()).map(attempt -> (TaskAttemptImpl) attempt)
        : Optional.empty();
  }

  /**
   * Reacts to an event that the task has handled in state SUCCEEDED.
   *
   * @return the attempt whose output takes the place of a lost one
   */
  Optional<TaskAttemptId> handled(TaskEvent event) {
    if (event.getType() == TaskEventType.T_ATTEMPT_SUCCEEDED) {
      TaskAttempt attempt = task.getAttempt(((TaskTAttemptEvent) event).getTaskAttemptID());
      copies.succeeded(attempt, completion(attempt));
    } else if (event.getType() == TaskEventType.T_KILL) {
      copies.release(task.getID()); // the job ends
    } else if (task.getInternalState() == TaskStateInternal.SCHEDULED) {
      Optional<TaskAttempt> spare = copies.spare(task.getID());
      copies.lost(task.getID());
      spare.ifPresent(s -> LOG.info("{} now uses the output of {}", task.getID(), s.getID()));
      return spare.map(TaskAttempt::getID);
    }
    return Optional.empty();
  }

  /** Creates the completion event of a success, as TaskImpl does. */
  private TaskCompletionEvent completion(TaskAttempt attempt) {
    TaskCompletionEvent event =
        new TaskCompletionEvent(
            -1,
            TypeConverter.fromYarn(attempt.getID()),
            attempt.getID().getId(),
            true,
            TaskCompletionEvent.Status.SUCCEEDED,
            ShuffleClient.address(
                task.encryptedShuffle, attempt.getNodeHttpAddress(), attempt.getShufflePort()));
    event.setTaskRunTime((int) (attempt.getFinishTime() - attempt.getLaunchTime()));
    return event;
  }
}
