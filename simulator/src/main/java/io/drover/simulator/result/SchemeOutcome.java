// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.result;

import io.drover.core.model.TaskKind;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What has come of a workload under one scheme.
 *
 * @param scheme what was done about outliers
 * @param phases of all jobs, by job and place in it
 * @param jobs by number
 * @param utilisation share of the slots that were busy until the last job was submitted, in [0,1]
 * @param slotSeconds for which slots were held in all
 * @param rework what was lost, and what was done about it
 */
public record SchemeOutcome(
    String scheme,
    List<PhaseOutcome> phases,
    List<JobOutcome> jobs,
    double utilisation,
    double slotSeconds,
    Rework rework) {

  /** Sorts. */
  public SchemeOutcome {
    phases =
        phases.stream()
            .sorted(
                Comparator.comparingInt(PhaseOutcome::job).thenComparingInt(PhaseOutcome::phase))
            .toList();
    jobs = jobs.stream().sorted(Comparator.comparingInt(JobOutcome::job)).toList();
  }

  /** An outcome under which nothing was lost. */
  public SchemeOutcome(
      String scheme,
      List<PhaseOutcome> phases,
      List<JobOutcome> jobs,
      double utilisation,
      double slotSeconds) {
    this(scheme, phases, jobs, utilisation, slotSeconds, Rework.NONE);
  }

  /**
   * What has come of one job.
   *
   * @param job its number, from 0
   * @param tasks of all its phases
   * @param submitted seconds
   * @param ended seconds
   * @param slotSeconds for which its attempts held slots
   * @param recomputations of its tasks: how often a reader missed an output
   */
  public record JobOutcome(
      int job, int tasks, double submitted, double ended, double slotSeconds, int recomputations) {
    /** A job that lost nothing. */
    public JobOutcome(int job, int tasks, double submitted, double ended, double slotSeconds) {
      this(job, tasks, submitted, ended, slotSeconds, 0);
    }

    /** From its submission to its end. */
    public double seconds() {
      return ended - submitted;
    }
  }

  /**
   * What has come of one phase.
   *
   * @param job its job's number, from 0
   * @param phase its place in the job, from 0
   * @param kind maps or reduces
   * @param tasks how many
   * @param begun when its tasks might begin, seconds
   * @param ended when its last task was done, seconds
   * @param slotSeconds for which its attempts held slots
   * @param copies that were asked for beside attempts that ran
   * @param restarts attempts that were killed in order to start their tasks anew
   * @param clones that were asked for with the first attempts, and attempts in copies of the job
   * @param won tasks that another attempt than the first has done, and sooner than the first would
   *     have; all of them if a copy of the job was the first to end
   * @param throughputSpread how many times more bytes a second the median task has fetched than the
   *     slowest one (Mantri section 6.4, figure 20); empty if fewer than two tasks fetched anything
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
    /** From the time when its tasks might begin to its end. */
    public double seconds() {
      return ended - begun;
    }
  }

  /**
   * What was lost under a scheme, and what was done about it.
   *
   * @param recomputations tasks that were run again, or waited for while they were, since a reader
   *     missed their output
   * @param precomputations tasks that were run again before anybody had missed their output
   * @param precomputationsNeeded of these, how many turned out to be needed: a reader found the
   *     original lost
   * @param precomputeSlotSeconds for which attempts at pre-computations held slots
   * @param replicas of outputs that were made
   * @param replicasUsed of these, how many a reader read since the original was lost
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
    /** Where nothing was lost. */
    public static final Rework NONE = new Rework(0, 0, 0, 0, 0, 0, 0, 0, 0);
  }
}
