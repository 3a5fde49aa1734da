// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.core.restart.SlowTasks;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The state of the cluster that the ResourceManager sends to an AppMaster.
 *
 * @param outlierProbability p, the cluster-wide probability that an attempt is an outlier, in
 *     [0,1]; empty until enough has been seen
 * @param table the machines and the links
 * @param cloneRoom how many clones this job may ask for now, in addition to those that have a
 *     container, 0 to {@value #MAX_CLONES}. It is empty if the scheduler does not keep clones under
 *     a ceiling; the AppMaster then goes by its headroom.
 * @param upstreamRatio M/K: upstream tasks that a job may run for each one whose output is used, in
 *     [1,10]. The administrator sets it, never the job (KMN section 5).
 * @param end the order to end; empty for almost all jobs
 * @param singleAttempts whether an earlier job of the same program and user has shown that its
 *     tasks cannot bear two attempts
 * @param successProbability the probability that the job succeeds, in (0,1], if it is to have fewer
 *     second attempts, because its time counts only as far as it succeeds; empty for almost all
 *     jobs
 * @param slowTasks what became of slow tasks in earlier jobs of the same program and user
 */
public record ClusterState(
    OptionalDouble outlierProbability,
    ClusterTable table,
    OptionalInt cloneRoom,
    double upstreamRatio,
    Optional<EndOrder> end,
    boolean singleAttempts,
    OptionalDouble successProbability,
    SlowTasks slowTasks) {
  /** The maximum number of clones of a job. */
  public static final int MAX_CLONES = 1_000_000;

  /** Checks the ranges. */
  public ClusterState {
    outlierProbability.ifPresent(p -> Validation.within("outlierProbability", p, 0, 1));
    Objects.requireNonNull(table);
    cloneRoom.ifPresent(room -> Validation.within("cloneRoom", room, 0, MAX_CLONES));
    Validation.within("upstreamRatio", upstreamRatio, 1, 10);
    Objects.requireNonNull(end);
    Validation.positive("successProbability", successProbability, 1);
    Objects.requireNonNull(slowTasks);
  }

  /** Creates a state in which nothing is known about the job and its program. */
  public ClusterState(
      OptionalDouble outlierProbability,
      ClusterTable table,
      OptionalInt cloneRoom,
      double upstreamRatio,
      Optional<EndOrder> end) {
    this(
        outlierProbability,
        table,
        cloneRoom,
        upstreamRatio,
        end,
        false,
        OptionalDouble.empty(),
        SlowTasks.NONE);
  }

  /**
   * Orders a job to end. Its AppMaster ends it, unless it is committing its output; nobody else
   * does.
   *
   * @param reason why, for people, at most 1,000 characters
   * @param grace how long the job may still run after it receives the order, at most 10 days. It is
   *     a duration because the clocks of two machines differ.
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
