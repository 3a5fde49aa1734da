// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.protect;

import io.drover.appmaster.protect.OutputsByHost.Output;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptDiagnosticsUpdateEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;

/**
 * Answers the events by which Hadoop counts the output of a map attempt as lost: enough reduces
 * have complained about it, or the ResourceManager has given up its node.
 *
 * <p>Once the job ends, no output is lost any more ({@link #whenTheJobEnds}). A job that has been
 * killed does not know that attempts end (KILL_ABORT, KILLED): it would fail with an internal
 * error. In Hadoop, such an event is handled a moment after the job has sent it. Here it may have
 * waited for seconds.
 *
 * <p>An output that can be read elsewhere is not lost. Nor is one whose node has just been found
 * unable to read another ({@link Complaints#areExplained}): a ShuffleHandler that cannot read one
 * of the outputs that a reduce has asked for refuses all of that request, and the reduce complains
 * about each (ShuffleChannelHandler, Fetcher). While that is being found out, the loss waits
 * ({@link Complaints#hold}). In place of any other loss by complaints, the attempt is killed, which
 * is nobody's fault.
 *
 * <p>Used on the dispatcher thread.
 */
final class LossEvents {
  private final OutputsByHost outputs;
  private final OutputReplication replication;
  private final OutputRemaker remaker;
  private final Complaints complaints;
  private final Supplier<Set<String>> silent;
  private final Consumer<Output> lost;

  /**
   * Creates the rule for one job.
   *
   * @param silent returns the hosts that do not answer
   * @param lost takes outputs that reduces cannot read
   */
  LossEvents(
      OutputsByHost outputs,
      OutputReplication replication,
      OutputRemaker remaker,
      Complaints complaints,
      Supplier<Set<String>> silent,
      Consumer<Output> lost) {
    this.outputs = outputs;
    this.replication = replication;
    this.remaker = remaker;
    this.complaints = complaints;
    this.silent = silent;
    this.lost = lost;
  }

  /** Returns whether an event is such a one. */
  static boolean isOne(TaskAttemptEvent event) {
    return event.getType() == TaskAttemptEventType.TA_TOO_MANY_FETCH_FAILURE
        || isForLostNode(event);
  }

  /** As JobImpl does it, when the ResourceManager has given up a node. */
  private static boolean isForLostNode(TaskAttemptEvent event) {
    return event instanceof TaskAttemptKillEvent kill
        && kill.getMessage() != null
        && kill.getMessage().startsWith("TaskAttempt killed because it ran on unusable node");
  }

  /** Returns the event that a map attempt handles in place of such a one if the job ends. */
  static TaskAttemptEvent whenTheJobEnds(Job job, TaskAttemptEvent event) {
    TaskAttemptId id = event.getTaskAttemptID();
    TaskAttempt attempt = job.getTask(id.getTaskId()).getAttempt(id);
    return attempt.getState() == TaskAttemptState.SUCCEEDED
        ? stays(id, "the job ends, and nobody needs the output")
        : event;
  }

  /** Returns the event that a map attempt handles in place of such a one. */
  TaskAttemptEvent instead(TaskAttemptEvent event) {
    return isForLostNode(event) ? afterLostNode(event) : afterComplaints(event);
  }

  private TaskAttemptEvent afterComplaints(TaskAttemptEvent event) {
    TaskAttemptId id = event.getTaskAttemptID();
    if (complaints.hold(event)) {
      return stays(id, "too many reduces cannot fetch the output, and its node is asked for it");
    }
    Optional<Output> output = outputs.of(id);
    if (output.filter(complaints::areExplained).isPresent()) {
      return stays(id, "reduces asked for the output together with one that its node cannot read");
    }
    if (replication.hasJustMoved(id)
        || output.filter(it -> use(it, "too many reduces cannot fetch it")).isPresent()) {
      return stays(id, "reduces read a replica of the output");
    }
    return remaker.insteadOf(
        event,
        () ->
            output.ifPresent(
                it -> {
                  lost.accept(it);
                  outputs.remove(it);
                }));
  }

  private TaskAttemptEvent afterLostNode(TaskAttemptEvent event) {
    TaskAttemptId id = event.getTaskAttemptID();
    return outputs.of(id).filter(this::canBeReadElsewhere).isPresent()
        ? stays(id, "reduces read a replica of the output")
        : event;
  }

  private boolean canBeReadElsewhere(Output output) {
    return replication.hasMoved(output.id()) || use(output, "the cluster has lost its node");
  }

  private boolean use(Output output, String why) {
    return replication.use(output, silent.get(), true, why);
  }

  private static TaskAttemptEvent stays(TaskAttemptId id, String why) {
    return new TaskAttemptDiagnosticsUpdateEvent(id, "Drover: " + why);
  }
}
