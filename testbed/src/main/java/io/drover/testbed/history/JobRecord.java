// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job, from its history.
 *
 * @param id the job's id, such as {@code job_1700000000000_0001}
 * @param name the name that its user gave it
 * @param user the user
 * @param queue the queue that it ended in; empty if it is not recorded
 * @param priority the priority that it was given while it ran, such as {@code HIGH}; empty if none
 * @param state how it ended
 * @param submitted when it was submitted
 * @param launched when its AppMaster had set it up; empty if it did not get so far
 * @param finished when it ended, or the last time in the history if it did not
 * @param maps the number of its maps
 * @param reduces the number of its reduces
 * @param uber whether its tasks ran within its AppMaster
 * @param masters its AppMasters, in order
 * @param tasks its tasks, maps before reduces
 * @param counters all its counters, by {@code group/name}; empty unless it succeeded
 * @param diagnostics what Hadoop says about its end; empty if nothing
 * @param timesMended how many times contradicted others, since clocks differ or went back, and were
 *     replaced
 */
public record JobRecord(
    String id,
    String name,
    String user,
    String queue,
    String priority,
    State state,
    Instant submitted,
    Optional<Instant> launched,
    Instant finished,
    int maps,
    int reduces,
    boolean uber,
    List<Master> masters,
    List<TaskRecord> tasks,
    Map<String, Long> counters,
    String diagnostics,
    int timesMended) {

  /** How a job ended. */
  public enum State {
    /** All its tasks were done. */
    SUCCEEDED,
    /** It failed, or its AppMaster met an error. */
    FAILED,
    /** It was killed. */
    KILLED,
    /** The history has no end: the job still runs, or its last AppMaster is gone. */
    UNFINISHED
  }

  /**
   * An AppMaster of the job.
   *
   * @param node the host that it ran on
   * @param started when it started
   */
  public record Master(String node, Instant started) {}

  /** Returns the time from submission to the end, never negative. */
  public Duration time() {
    Duration time = Duration.between(submitted, finished);
    return time.isNegative() ? Duration.ZERO : time;
  }

  /** Returns all attempts, by their start. */
  public List<AttemptRecord> attempts() {
    return tasks.stream()
        .flatMap(task -> task.attempts().stream())
        .sorted(Comparator.comparing(AttemptRecord::start).thenComparing(AttemptRecord::attempt))
        .toList();
  }

  /** Returns the host of the last AppMaster; empty if it is not recorded. */
  public String amNode() {
    return masters.isEmpty() ? "" : masters.get(masters.size() - 1).node();
  }
}
