// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.result;

import java.util.Comparator;
import java.util.List;

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
}
