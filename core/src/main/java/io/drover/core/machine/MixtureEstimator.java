// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.OptionalDouble;

/**
 * Estimates p_m by a mixture. A machine is slow with probability w. Otherwise it is like the others
 * except for a factor theta:
 *
 * <pre>
 *   p_m     = w q + (1 - w) p_0 theta          q = 1/2
 *   p_0     = (p - pi q) / (1 - pi)            an unknown machine (w = pi, theta = 1) has p
 *   odds(w) = odds(pi) e^g
 *   g       = max(0, g + the sum of log(q/r) for each outlier
 *                        and of log((1-q)/(1-r)) for each other attempt)
 *   r       = max(p, share of outliers of the same job on its other machines)
 *   theta   = (a + O) / (a + E)                O outliers, E the sum of those shares, which is the
 *                                              number of outliers expected from the same jobs
 * </pre>
 *
 * <p>When a window ends, w - pi, O and E are multiplied by a factor that halves them every {@link
 * MachineSettings#memory}. A slow machine may have been repaired, and a machine that gets no work
 * because it was slow gets another chance. O and E count only the share 1 - w of an attempt,
 * because what a slow machine did tells nothing about how it behaves when healthy.
 *
 * <p>Sources: g is the cumulative sum of Page ("Continuous inspection schemes", Biometrika 41,
 * 1954). It is never below 0, so a machine that was healthy for years is detected as fast as a new
 * one. theta is the Gamma-Poisson mean of observed by expected outliers. The expected number comes
 * from indirect standardisation, with which epidemiologists compare hospitals with different
 * patients: some jobs have many outliers wherever they run. Dolly section 3.1 announces "improved
 * learning models" but has none. Both parts are needed. Healthy machines hardly differ, so a count
 * must weigh little against its prior. But most attempts on a slow machine are outliers, and no
 * prior may hide that. Measurements are in docs/results.md.
 *
 * <p>One outlier never multiplies the odds by more than q/p, however few outliers its job has
 * elsewhere. A job with half of its attempts outliers elsewhere never makes a machine slow.
 */
final class MixtureEstimator implements OutlierEstimator {
  /** The name of this estimator in snapshots. */
  static final String NAME = "MIXTURE";

  /**
   * q. At least half of the attempts on a slow machine are outliers. {@link
   * io.drover.core.estimate.LocationFactors} recognises bad machines by that, too.
   */
  static final double SLOW = 0.5;

  /** The maximum of g. Larger values than these odds, e^20 to one, only add rounding errors. */
  private static final double SUREST = 20;

  private final double slowShare;
  private final double strength;
  private final double keptEachWindow;
  private double evidence;
  private double outliers;
  private double expected;

  /** Creates an estimator for a machine about which nothing is known. */
  static MixtureEstimator of(MachineSettings settings) {
    return new MixtureEstimator(
        settings.slowShare(), settings.priorOutliers(), settings.keptEachWindow(settings.memory()));
  }

  /**
   * Creates an estimator for a machine about which nothing is known.
   *
   * @param slowShare pi, in (0,1/2]
   * @param strength a, above 0
   * @param keptEachWindow the factor for the end of a window, see above; in (0,1]
   */
  MixtureEstimator(double slowShare, double strength, double keptEachWindow) {
    this.slowShare = slowShare;
    this.strength = strength;
    this.keptEachWindow = keptEachWindow;
  }

  @Override
  public void observe(AdmittedOutcomes outcomes, double p, double weight) {
    double rate = outcomes.rateElsewhere(p);
    evidence = sum(evidence, weight * evidence(outcomes, p));
    double alike = weight * (1 - slow(p));
    outliers += alike * outcomes.outliers();
    expected += alike * outcomes.attempts() * rate;
  }

  /** Returns g after more evidence for or against the machine. */
  static double sum(double evidence, double more) {
    return Math.max(0, Math.min(SUREST, evidence + more));
  }

  /** Returns what outcomes add to g; 0 if half of all attempts are outliers anyway. */
  static double evidence(AdmittedOutcomes outcomes, double p) {
    double cautious = Math.max(outcomes.rateElsewhere(p), p);
    int found = outcomes.outliers();
    return cautious < SLOW
        ? found * Math.log(SLOW / cautious)
            + (outcomes.attempts() - found) * Math.log((1 - SLOW) / (1 - cautious))
        : 0;
  }

  @Override
  public void windowsEnd(int windows, double p) {
    double kept = Math.pow(keptEachWindow, windows);
    evidence = faded(evidence, kept, p, slowShare);
    outliers *= kept;
    expected *= kept;
  }

  @Override
  public double probability(double p) {
    return probability(p, evidence);
  }

  @Override
  public OptionalDouble probabilityFor(UserWeight user, double p) {
    return user.unbounded() <= evidence
        ? OptionalDouble.empty()
        : OptionalDouble.of(probability(p, user.unbounded()));
  }

  private double probability(double p, double evidence) {
    double q = Math.max(p, SLOW);
    double prior = prior(p);
    double others = (p - prior * q) / (1 - prior);
    double theta = (strength + outliers) / (strength + expected);
    double slow = slow(evidence, prior(p));
    return slow * q + (1 - slow) * Math.min(q, others * theta);
  }

  /** Returns g after w - pi has been multiplied by a factor. */
  static double faded(double evidence, double kept, double p, double slowShare) {
    double prior = prior(p, slowShare);
    double slow = slow(evidence, prior);
    double left = logit(prior + (slow - prior) * kept) - logit(prior);
    return Math.max(0, left); // rounding may leave it below
  }

  /** Returns w. */
  private double slow(double p) {
    return slow(evidence, prior(p));
  }

  private static double slow(double evidence, double prior) {
    return 1 / (1 + Math.exp(-logit(prior) - evidence));
  }

  private double prior(double p) {
    return prior(p, slowShare);
  }

  /** Returns pi, limited: slow machines explain at most half of the outliers, so p_0 is above 0. */
  private static double prior(double p, double slowShare) {
    return Math.min(slowShare, p / (2 * Math.max(p, SLOW)));
  }

  private static double logit(double probability) {
    return Math.log(probability / (1 - probability));
  }

  @Override
  public double[] figures() {
    return new double[] {evidence, outliers, expected};
  }

  @Override
  public void restore(double[] figures) {
    OutlierEstimator.check(figures, 3);
    evidence = Math.min(SUREST, figures[0]);
    outliers = figures[1];
    expected = figures[2];
  }
}
