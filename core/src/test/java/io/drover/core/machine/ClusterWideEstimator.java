// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

/**
 * Assumes that all machines are alike: {@code p_m = p}. An estimator must beat this one to be worth
 * having. Source: Dolly section 3.1 uses it for copies of whole jobs.
 */
final class ClusterWideEstimator implements OutlierEstimator {
  @Override
  public void observe(AdmittedOutcomes outcomes, double p, double weight) {}

  @Override
  public void windowsEnd(int windows, double p) {}

  @Override
  public double probability(double p) {
    return p;
  }

  @Override
  public double[] figures() {
    return new double[0];
  }

  @Override
  public void restore(double[] figures) {
    OutlierEstimator.check(figures, 0);
  }
}
