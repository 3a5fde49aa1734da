// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.result;

import io.drover.core.model.TaskKind;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The outcome of a workload under one scheme.
 *
 * @param scheme name of the scheme
 * @param phases of all jobs, sorted by job and by index in the job
 * @param jobs sorted by number
 * @param utilisation share of the slots that were busy until the last job was submitted, in [0,1]
 * @param slotSeconds total time for which slots were held
 * @param rework what was lost, and what was done about it
 */
public record SchemeOutcome(
    String scheme,
    List<PhaseOutcome> phases,
    List<JobOutcome> jobs,
    double utilisation,
    double slotSeconds,
    Rework rework) {

  /** Sorts the phases and the jobs. */
  public SchemeOutcome {
    phases =
        phases.stream()
            .sorted(
                Comparator.comparingInt(PhaseOutcome::job).thenComparingInt(PhaseOutcome::phase))
            .toList();
    jobs = jobs.stream().sorted(Comparator.comparingInt(JobOutcome::job)).toList();
  }

  /** Creates an outcome in which nothing was lost. */
  public SchemeOutcome(
      String scheme,
      List<PhaseOutcome> phases,
      List<JobOutcome> jobs,
      double utilisation,
      double slotSeconds) {
    this(scheme, phases, jobs, utilisation, slotSeconds, Rework.NONE);
  }

  /**
   * The outcome of one job.
   *
   * @param job number of the job, from 0
   * @param tasks number of tasks of all its phases
   * @param submitted seconds
   * @param ended seconds
   * @param slotSeconds for which its attempts held slots
   * @param recomputations how often a reader missed an output of its tasks
   */
  public record JobOutcome(
      int job, int tasks, double submitted, double ended, double slotSeconds, int recomputations) {
    /** Creates the outcome of a job that lost nothing. */
    public JobOutcome(int job, int tasks, double submitted, double ended, double slotSeconds) {
      this(job, tasks, submitted, ended, slotSeconds, 0);
    }

    /** Returns the time from the job's submission to its end. */
    public double seconds() {
      return ended - submitted;
    }
  }

  /**
   * The outcome of one phase.
   *
   * @param job number of its job, from 0
   * @param phase index of the phase in the job, from 0
   * @param kind maps or reduces
   * @param tasks number of tasks
   * @param begun when its tasks were first allowed to start, seconds
   * @param ended when its last task was done, seconds
   * @param slotSeconds for which its attempts held slots
   * @param copies requested while another attempt of the task ran
   * @param restarts attempts that were killed in order to start their tasks anew
   * @param clones requested with the first attempts, and all first attempts in copies of the job
   * @param won tasks done by an attempt other than the first, and sooner than the first would have
   *     done them; all tasks if a copy of the job was the first to end
   * @param throughputSpread fetch rate of the median task, in bytes per second, divided by that of
   *     the slowest task (Mantri section 6.4, figure 20); empty if fewer than two tasks fetched
   *     anything
   */
  public record PhaseOutcome(
      int job,
      int phase,
      TaskKind kind,
      int tasks,
      double begun,
      double ended,
      double slotSeconds,
      int copies,
      int restarts,
      int clones,
      int won,
      OptionalDouble throughputSpread) {
    /** Returns the time from when the tasks were allowed to start to the end of the phase. */
    public double seconds() {
      return ended - begun;
    }
  }

  /**
   * Counts what was lost under a scheme, and what was done about it.
   *
   * @param recomputations how often a reader missed an output; its task was run again, or was
   *     already being run again
   * @param precomputations tasks that were run again before any reader had missed their output
   * @param precomputationsNeeded those that turned out to be needed because a reader found the
   *     original lost
   * @param precomputeSlotSeconds for which attempts at pre-computations held slots
   * @param replicas number of outputs that were replicated
   * @param replicasUsed replicas that a reader read because the original was lost
   * @param replicatedBytes of all replicas
   * @param evicted attempts that the cluster ended for other tenants
   * @param died attempts that ended with their machine
   */
  public record Rework(
      long recomputations,
      long precomputations,
      long precomputationsNeeded,
      double precomputeSlotSeconds,
      long replicas,
      long replicasUsed,
      double replicatedBytes,
      long evicted,
      long died) {
    /** Nothing was lost. */
    public static final Rework NONE = new Rework(0, 0, 0, 0, 0, 0, 0, 0, 0);
  }
}
