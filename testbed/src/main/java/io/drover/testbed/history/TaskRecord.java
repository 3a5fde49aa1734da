// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import io.drover.core.model.TaskKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One task of a job, from the job's history.
 *
 * @param kind map or reduce
 * @param number its number among those of its kind
 * @param scheduled when the AppMaster was ready to run it; empty if that is not recorded
 * @param state how it ended, such as {@code SUCCEEDED}; empty if it did not
 * @param hosts the hosts that held a map's input; empty if they are not recorded
 * @param attempts its attempts, by their start
 */
public record TaskRecord(
    TaskKind kind,
    int number,
    Optional<Instant> scheduled,
    String state,
    List<String> hosts,
    List<AttemptRecord> attempts) {

  /** Returns the task's name, which is unique in the job, such as {@code m7} or {@code r0}. */
  public String name() {
    return nameOf(kind, number);
  }

  /** Returns the name of a task, such as {@code m7} or {@code r0}. */
  public static String nameOf(TaskKind kind, int number) {
    return (kind == TaskKind.MAP ? "m" : "r") + number;
  }

  /** Returns the attempt whose output is the task's output; empty if there is none. */
  public Optional<AttemptRecord> winner() {
    return attempts.stream().filter(AttemptRecord::won).findFirst();
  }
}
