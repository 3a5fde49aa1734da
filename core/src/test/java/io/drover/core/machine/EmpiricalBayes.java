// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.ArrayList;
import java.util.List;

/**
 * A {@link BetaEstimator} whose prior weight is estimated from how alike the machines are, instead
 * of taken from a setting (empirical Bayes). Tried and not shipped; see docs/machine-statistics.md.
 *
 * <p>Let w be the weights of a machine's attempts, lower for older ones, n = sum w and k = sum w^2.
 * The variance of its weighted outliers y is {@code p(1-p) (k + rho (n^2 - k))}, where rho =
 * 1/(A+1) for a prior of A attempts. So the mean of {@code (y - n p)^2} over all machines gives
 * rho.
 */
final class EmpiricalBayes {
  private static final double MOST_ALIKE = 1e-4;

  private final double keptEachWindow;
  private final List<MachineEstimate> estimates = new ArrayList<>();
  private double rho = MOST_ALIKE;
  private boolean isOld = true;

  EmpiricalBayes(double keptEachWindow) {
    this.keptEachWindow = keptEachWindow;
  }

  OutlierEstimator unknown() {
    MachineEstimate estimate = new MachineEstimate();
    estimates.add(estimate);
    return estimate;
  }

  /** Returns A, in attempts. */
  double strength(double p) {
    if (isOld) {
      double excess = 0;
      double possible = 0;
      for (MachineEstimate b : estimates) {
        excess += Math.pow(b.outliers - b.attempts * p, 2) - p * (1 - p) * b.squares;
        possible += p * (1 - p) * (b.attempts * b.attempts - b.squares);
      }
      rho = possible > 0 ? Math.max(MOST_ALIKE, Math.min(0.5, excess / possible)) : MOST_ALIKE;
      isOld = false;
    }
    return 1 / rho - 1;
  }

  private final class MachineEstimate implements OutlierEstimator {
    private double attempts;
    private double squares;
    private double outliers;

    @Override
    public void observe(AdmittedOutcomes outcomes, double p, double weight) {
      attempts += weight * outcomes.attempts();
      squares += weight * weight * outcomes.attempts();
      outliers += weight * outcomes.outliers();
    }

    @Override
    public void windowsEnd(int windows, double p) {
      double kept = Math.pow(keptEachWindow, windows);
      attempts *= kept;
      outliers *= kept;
      squares *= kept * kept;
      isOld = true;
    }

    @Override
    public double probability(double p) {
      double strength = strength(p);
      return (strength * p + outliers) / (strength + attempts);
    }

    @Override
    public double[] figures() {
      return new double[] {attempts, squares, outliers};
    }

    @Override
    public void restore(double[] figures) {
      OutlierEstimator.check(figures, 3);
      attempts = figures[0];
      squares = figures[1];
      outliers = figures[2];
    }
  }
}
