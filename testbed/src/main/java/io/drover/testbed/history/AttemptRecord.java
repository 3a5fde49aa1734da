// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import io.drover.core.model.TaskKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One attempt of one task, from the job's history. All its times lie within those of the job.
 *
 * @param id the attempt's id, as Hadoop writes it
 * @param kind map or reduce
 * @param task the task's number among those of its kind
 * @param attempt the attempt's number within its task, from 0
 * @param node the host it ran on
 * @param rack that host's rack, such as {@code /rack1}
 * @param containerId the container it ran in
 * @param start when it was launched
 * @param finish when it ended, successful or not
 * @param shuffleFinish when it had fetched its input; empty if it is a map or did not get so far
 * @param sortFinish when it had merged its input; empty if it is a map or did not get so far
 * @param outcome how it ended
 * @param role why it was started
 * @param diagnostics what Hadoop said about its end; empty if nothing
 * @param figures what was measured of it
 */
public record AttemptRecord(
    String id,
    TaskKind kind,
    int task,
    int attempt,
    String node,
    String rack,
    String containerId,
    Instant start,
    Instant finish,
    Optional<Instant> shuffleFinish,
    Optional<Instant> sortFinish,
    Outcome outcome,
    Role role,
    String diagnostics,
    AttemptFigures figures) {

  /** How an attempt ended. */
  public enum Outcome {
    /** Its output is the task's output. */
    WON,
    /** It finished, but its output was lost later (a dead node) and the task ran again. */
    OUTPUT_LOST,
    /** It was killed because it was no longer needed, or its node was gone. */
    KILLED,
    /** It failed, or was given up because it hung. */
    FAILED,
    /** The history has no end of it: the job had ended before, or its AppMaster was gone. */
    UNKNOWN
  }

  /** Why an attempt was started. */
  public enum Role {
    /** The first attempt of its task. */
    FIRST,
    /** A copy, while an earlier attempt of the task was still running. */
    COPY,
    /** A new try, after every earlier attempt had ended or its output was lost. */
    RETRY
  }

  AttemptRecord withRole(Role newRole) {
    return new AttemptRecord(
        id,
        kind,
        task,
        attempt,
        node,
        rack,
        containerId,
        start,
        finish,
        shuffleFinish,
        sortFinish,
        outcome,
        newRole,
        diagnostics,
        figures);
  }

  /** Returns the time from launch to end. */
  public Duration duration() {
    return Duration.between(start, finish);
  }

  /** Returns whether the attempt's output is the task's output. */
  public boolean won() {
    return outcome == Outcome.WON;
  }

  /** Returns the task's name, which is unique in the job, such as {@code m7} or {@code r0}. */
  public String taskName() {
    return TaskRecord.nameOf(kind, task);
  }
}
