// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

/**
 * Dolly's own estimator:
 *
 * <pre>
 *   p_m(t+1) = (p_m(t) + p_m[t]) / 2       p_m[t] = outliers / attempts of the machine in window t
 * </pre>
 *
 * <p>Source: Dolly section 3.1. The paper does not define two cases: here a machine starts from p,
 * and a window without attempts changes nothing. With few attempts in a window, the estimate is
 * mostly noise: one attempt either halves p_m or makes it at least one half.
 */
final class DollyEstimator implements OutlierEstimator {
  private boolean known;
  private double probability;
  private double attempts;
  private double outliers;

  @Override
  public void observe(AdmittedOutcomes outcomes, double p, double weight) {
    attempts += weight * outcomes.attempts();
    outliers += weight * outcomes.outliers();
  }

  @Override
  public void windowsEnd(int windows, double p) {
    if (attempts > 0) {
      probability = (probability(p) + outliers / attempts) / 2;
      known = true;
      attempts = 0;
      outliers = 0;
    }
  }

  @Override
  public double probability(double p) {
    return known ? probability : p;
  }

  @Override
  public double[] figures() {
    return new double[] {known ? 1 : 0, probability, attempts, outliers};
  }

  @Override
  public void restore(double[] figures) {
    OutlierEstimator.check(figures, 4);
    known = figures[0] > 0;
    probability = Math.min(1, figures[1]);
    attempts = figures[2];
    outliers = Math.min(attempts, figures[3]);
  }
}
