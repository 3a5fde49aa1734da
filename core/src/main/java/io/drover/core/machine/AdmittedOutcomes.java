// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

/**
 * The new part of a job's claims about one machine that has been admitted.
 *
 * @param machine where
 * @param attempts that were judged
 * @param outliers of those
 * @param elsewhereAttempts attempts of the job judged on all other machines, so far
 * @param elsewhereOutliers of those
 * @param outputs that were kept on the machine
 * @param lost outputs that were lost there, of those kept now or before
 */
public record AdmittedOutcomes(
    String machine,
    int attempts,
    int outliers,
    int elsewhereAttempts,
    int elsewhereOutliers,
    int outputs,
    int lost) {

  /** Attempts elsewhere of which p knows as much as the job itself. */
  private static final double WEIGHT_OF_P = 2;

  /**
   * How likely an attempt of this job is an outlier on other machines. A job has more or fewer of
   * them than others by its nature: on Google's trace, that tells far more than the machine does.
   *
   * @param p the cluster's probability, in [0,1]
   * @return in [0,1/2]: not even half of a job's attempts can be slower than twice their median
   */
  double rateElsewhere(double p) {
    double rate = (elsewhereOutliers + WEIGHT_OF_P * p) / (elsewhereAttempts + WEIGHT_OF_P);
    return Math.min(0.5, rate);
  }
}
