// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import io.drover.appmaster.MapCopies;
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
 * Lets a second attempt of a map succeed after the first, and lets its output stand in for the
 * first one's. {@link MapCopies} decides; one object serves one task, on the dispatcher thread.
 *
 * <p><b>What stock Hadoop does.</b> With the first success (AttemptSucceededTransition) a task
 * raises the completion event that reduces are told, is counted by the job, and sends TA_KILL to
 * all other attempts. What it sends goes through this object, which may hold such a kill back.
 *
 * <p><b>Why a second success is safe.</b> TaskImpl allows for it, since a success may be under way
 * when the kill is sent: AttemptSucceededAtSucceededTransition takes the attempt off those in
 * progress, and does nothing else. No completion event, no JobTaskEvent, no TaskFinishedEvent: the
 * job's counts, its progress, and its counters (those of {@code successfulAttempt}) do not see it.
 * In the history it is an attempt that finished, of a task whose successful attempt is another one.
 * A failure or kill of it is ignored as well (RetroactiveFailureTransition and
 * RetroactiveKilledTransition, for any but the successful attempt). Recovery adds the attempts of a
 * task in the order of their ends, and takes the first success for the successful one (Hadoop's
 * TestRecovery has the case). The output stays where ShuffleHandler finds it until the application
 * ends, by the attempt's own id. An attempt that wants to commit after the first success is never
 * let, and ends with its kill.
 *
 * <p><b>When the first copy is lost</b>, its failure (or kill) unmakes the task's success, and
 * stock makes a new attempt. Here the living copy is given to TaskImpl in place of a new attempt,
 * and its success is told once more, so that the task succeeds with it: completion event, job's
 * counts and history are those of an attempt made anew, which took no time. From then on it is the
 * one that Hadoop looks after. So no task under way has a succeeded attempt that it does not count.
 *
 * <p><b>If the second attempt still runs then</b>, it goes on as the task's own: it is not ended
 * from here any more. TaskImpl may have made no new attempt because of it, and is SCHEDULED, where
 * a success or a wish to commit is an error, which would end the job; so it is told before of a
 * launch ({@link #provesLaunch}), which is what has happened, and moves it to RUNNING.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // EventHandler, as TaskImpl has it
final class SecondCopies implements EventHandler {
  private static final Logger LOG = LoggerFactory.getLogger(SecondCopies.class);

  private final EventHandler hadoop;
  private final MapCopies copies;
  private DroverMapTask task;

  /**
   * Between a task and Hadoop.
   *
   * @param hadoop takes what the task sends
   */
  SecondCopies(EventHandler hadoop, MapCopies copies) {
    this.hadoop = hadoop;
    this.copies = copies;
  }

  /** The task that it serves, which cannot be given before it is made. */
  void serves(DroverMapTask itsTask) {
    task = itsTask;
  }

  /** Takes what the task, or an attempt of it, sends. */
  @Override
  public void handle(Event event) {
    boolean isHeld =
        event instanceof TaskAttemptKillEvent kill
            && task.handled() instanceof TaskTAttemptEvent cause
            && cause.getType() == TaskEventType.T_ATTEMPT_SUCCEEDED
            && copies.holdsBack(task, cause.getTaskAttemptID(), kill);
    if (isHeld) {
      LOG.info("{} may go on for a while", ((TaskAttemptKillEvent) event).getTaskAttemptID());
    } else {
      hadoop.handle(event);
    }
  }

  /** Whether an event says that an attempt runs, of a task that does not know it. */
  boolean provesLaunch(TaskEvent event) {
    boolean isOfRunning =
        event.getType() == TaskEventType.T_ATTEMPT_SUCCEEDED
            || event.getType() == TaskEventType.T_ATTEMPT_COMMIT_PENDING;
    return isOfRunning && task.getInternalState() == TaskStateInternal.SCHEDULED;
  }

  /**
   * The attempt that stands in for the one whose output is lost, while TaskImpl makes a new one.
   */
  Optional<TaskAttemptImpl> instead() {
    return task.getInternalState() == TaskStateInternal.SUCCEEDED
        ? copies.spare(task.getID()).map(attempt -> (TaskAttemptImpl) attempt)
        : Optional.empty();
  }

  /**
   * The task has handled an event in a state in which it had succeeded.
   *
   * @return an attempt whose output takes the place of one that is lost
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
      spare.ifPresent(s -> LOG.info("{} goes on with the output of {}", task.getID(), s.getID()));
      return spare.map(TaskAttempt::getID);
    }
    return Optional.empty();
  }

  /** As TaskImpl tells of a success. */
  private TaskCompletionEvent completion(TaskAttempt attempt) {
    String scheme = task.encryptedShuffle ? "https://" : "http://";
    String host = attempt.getNodeHttpAddress().split(":")[0];
    TaskCompletionEvent event =
        new TaskCompletionEvent(
            -1,
            TypeConverter.fromYarn(attempt.getID()),
            attempt.getID().getId(),
            true,
            TaskCompletionEvent.Status.SUCCEEDED,
            scheme + host + ":" + attempt.getShufflePort());
    event.setTaskRunTime((int) (attempt.getFinishTime() - attempt.getLaunchTime()));
    return event;
  }
}
