// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

/**
 * Estimates the machine's own share of outliers, drawn towards p. Older outcomes count less:
 *
 * <pre>
 *   p_m = (a + outliers) / (a/p + attempts)
 * </pre>
 *
 * <p>This is the mean of a Beta posterior whose prior weighs as much as a expected outliers, that
 * is, a/p attempts. Both counts are halved every {@link MachineSettings#memory}.
 */
final class BetaEstimator implements OutlierEstimator {
  private final double strength;
  private final double keptEachWindow;
  private final DecayingShare outliers = new DecayingShare();

  /**
   * Creates the estimator of a machine of which nothing is known.
   *
   * @param strength a, above 0
   * @param keptEachWindow the factor applied to the counts at the end of a window, in (0,1]
   */
  BetaEstimator(double strength, double keptEachWindow) {
    this.strength = strength;
    this.keptEachWindow = keptEachWindow;
  }

  @Override
  public void observe(AdmittedOutcomes outcomes, double p, double weight) {
    outliers.add(weight * outcomes.attempts(), weight * outcomes.outliers());
  }

  @Override
  public void windowsEnd(int windows, double p) {
    outliers.fade(Math.pow(keptEachWindow, windows));
  }

  @Override
  public double probability(double p) {
    return outliers.towards(p, strength);
  }

  @Override
  public double[] figures() {
    return new double[] {outliers.all(), outliers.some()};
  }

  @Override
  public void restore(double[] figures) {
    OutlierEstimator.check(figures, 2);
    outliers.fade(0);
    outliers.add(figures[0], Math.min(figures[0], figures[1]));
  }
}
