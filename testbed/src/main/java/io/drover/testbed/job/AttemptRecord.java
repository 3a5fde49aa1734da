// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import io.drover.core.model.TaskKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One attempt of one task, as the job's history tells it.
 *
 * @param id the attempt's id, as Hadoop writes it
 * @param kind map or reduce
 * @param task the task's number among those of its kind
 * @param attempt the attempt's number within its task, from 0
 * @param node the host it ran on
 * @param rack that host's rack, as {@code /rack1}
 * @param containerId the container it ran in
 * @param start when it was launched
 * @param finish when it was over, whichever way
 * @param shuffleFinish for a reduce that got so far, when it had fetched its input
 * @param sortFinish for a reduce that got so far, when it had merged its input
 * @param outcome how it ended
 * @param role why it was started
 * @param diagnostics what Hadoop said about its end; empty when nothing was said
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
    String diagnostics) {

  /** How an attempt ended. */
  public enum Outcome {
    /** Its output is the task's output. */
    WON,
    /** It finished, but its output was lost later (a dead node) and the task ran again. */
    OUTPUT_LOST,
    /** It was ended because it was no longer needed, or its node was gone. */
    KILLED,
    /** It broke, or was given up as hung. */
    FAILED,
    /** The history holds no end for it: its AppMaster was gone before. */
    UNKNOWN
  }

  /** Why an attempt was started. */
  public enum Role {
    /** The task's first. */
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
        diagnostics);
  }

  /** From launch to end. */
  public Duration duration() {
    return Duration.between(start, finish);
  }

  /** Whether the attempt's output is the task's output. */
  public boolean won() {
    return outcome == Outcome.WON;
  }

  /** The task's name, unique in the job: {@code m7}, {@code r0}. */
  public String taskName() {
    return TaskName.of(kind == TaskKind.MAP, task);
  }

  /** How a task is called in logs, on pages and in the configuration of faults: m3, r0. */
  static final class TaskName {
    private TaskName() {}

    /** The name of a map, else of a reduce, by its number among its like. */
    static String of(boolean isMap, int number) {
      return (isMap ? "m" : "r") + number;
    }
  }
}
