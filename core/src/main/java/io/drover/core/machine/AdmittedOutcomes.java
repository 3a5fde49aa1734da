// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

/**
 * The new part of a job's claims about one machine that has been admitted.
 *
 * @param machine the name of the machine
 * @param attempts the number of judged attempts
 * @param outliers how many of the judged attempts were outliers
 * @param elsewhereAttempts the number of the job's attempts judged on all other machines so far
 * @param elsewhereOutliers how many of these were outliers
 * @param outputs the number of outputs kept on the machine
 * @param lost the number of outputs lost on the machine, whether they were kept now or before
 */
public record AdmittedOutcomes(
    String machine,
    int attempts,
    int outliers,
    int elsewhereAttempts,
    int elsewhereOutliers,
    int outputs,
    int lost) {

  /** The weight of p against the job's own attempts elsewhere, in attempts. */
  private static final double WEIGHT_OF_P = 2;

  /**
   * Returns the probability that an attempt of this job is an outlier on other machines. Some jobs
   * have many outliers by nature. On Google's trace, that tells far more than the machine does.
   *
   * @param p the cluster's probability, in [0,1]
   * @return in [0,1/2]: fewer than half of a job's attempts can be slower than twice their median
   */
  double rateElsewhere(double p) {
    double rate = (elsewhereOutliers + WEIGHT_OF_P * p) / (elsewhereAttempts + WEIGHT_OF_P);
    return Math.min(0.5, rate);
  }
}
