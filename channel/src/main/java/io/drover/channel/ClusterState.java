// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The state of the cluster, as an AppMaster gets it.
 *
 * @param outlierProbability p, the cluster-wide probability that an attempt is an outlier, in
 *     [0,1]; empty as long as too little has been seen
 * @param table the machines and the links
 * @param cloneRoom clones that this job may ask for now, besides those that live, 0 to {@value
 *     #MAX_CLONES}; empty where the scheduler does not keep clones under a ceiling, so that an
 *     AppMaster goes by its headroom
 * @param upstreamRatio M/K: upstream tasks that a job may run for each one whose output is used, in
 *     [1,10]; it is the administrator's and never the job's (KMN section 5)
 * @param end the order to end; empty for all but few
 * @param singleAttempts whether an earlier job of the same program and user has shown that its
 *     tasks cannot bear two attempts
 */
public record ClusterState(
    OptionalDouble outlierProbability,
    ClusterTable table,
    OptionalInt cloneRoom,
    double upstreamRatio,
    Optional<EndOrder> end,
    boolean singleAttempts) {
  /** Clones of a job at most. */
  public static final int MAX_CLONES = 1_000_000;

  /** Checks the ranges. */
  public ClusterState {
    outlierProbability.ifPresent(p -> Validation.within("outlierProbability", p, 0, 1));
    Objects.requireNonNull(table);
    cloneRoom.ifPresent(room -> Validation.within("cloneRoom", room, 0, MAX_CLONES));
    Validation.within("upstreamRatio", upstreamRatio, 1, 10);
    Objects.requireNonNull(end);
  }

  /** A state in which nothing is known of the job's program. */
  public ClusterState(
      OptionalDouble outlierProbability,
      ClusterTable table,
      OptionalInt cloneRoom,
      double upstreamRatio,
      Optional<EndOrder> end) {
    this(outlierProbability, table, cloneRoom, upstreamRatio, end, false);
  }

  /**
   * "End yourself": the job is to end, or it will be ended.
   *
   * @param reason why, for people, at most 1,000 characters
   * @param grace how long it may still go on, from when it was told, at most 10 days. A duration,
   *     for the clocks of two machines differ.
   */
  public record EndOrder(String reason, Duration grace) {
    private static final Duration LONGEST = Duration.ofDays(10);

    /** Checks the ranges. */
    public EndOrder {
      Validation.text("reason", reason);
      Validation.within("grace", grace, LONGEST);
    }
  }
}
