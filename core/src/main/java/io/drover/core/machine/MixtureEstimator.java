// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.OptionalDouble;

/**
 * A machine is slow, with probability w, or it is like the others, but for a factor theta:
 *
 * <pre>
 *   p_m     = w q + (1 - w) p_0 theta          q = 1/2
 *   p_0     = (p - pi q) / (1 - pi)            so that w = pi and theta = 1, a machine of which
 *                                              nothing is known, gives p
 *   odds(w) = odds(pi) e^g
 *   g       = max(0, g + the sum of log(q/r) for each outlier
 *                        and of log((1-q)/(1-r)) for each other attempt)
 *   r       = max(p, share of outliers of the same job on its other machines)
 *   theta   = (a + O) / (a + E)                O outliers, E the sum of those shares: what the
 *                                              same jobs lead to expect of the machine
 * </pre>
 *
 * <p>When a window ends, w - pi, O and E are multiplied with a factor that halves them every {@link
 * MachineSettings#memory}: a slow machine may be mended, and one on which nothing is placed since
 * it was slow gets another chance. O and E grow by the share 1 - w of an attempt: what a slow
 * machine did is no sign of what it does when it is well.
 *
 * <p>Sources: g is the cumulative sum of Page ("Continuous inspection schemes", Biometrika 41,
 * 1954), which is never below 0, so that a machine that did well for years is found out as soon as
 * a new one. theta is the Gamma-Poisson mean of observed by expected, the expected by indirect
 * standardisation, as epidemiologists compare hospitals with different patients: some jobs have
 * many outliers wherever they run. Dolly section 3.1 announces "improved learning models" and has
 * none of it. Both parts are needed: machines that are well hardly differ, so a count must weigh
 * little against its prior; but a slow one makes outliers of most that it runs, and no prior may
 * hide that. The figures are in docs/machine-statistics.md.
 *
 * <p>Never: one outlier never multiplies the odds by more than q/p, however clean its job is
 * elsewhere. A job of which half the attempts are outliers elsewhere never makes a machine slow.
 */
final class MixtureEstimator implements OutlierEstimator {
  /** Of these estimates, in snapshots. */
  static final String NAME = "MIXTURE";

  /**
   * q. On a slow machine at least every second attempt is an outlier; that is also how {@link
   * io.drover.core.restart.SlowMachines} knows one.
   */
  static final double SLOW = 0.5;

  /** g at most: beyond these odds, e^20 to one, nothing is gained but rounding. */
  private static final double SUREST = 20;

  private final double slowShare;
  private final double strength;
  private final double keptEachWindow;
  private double evidence;
  private double outliers;
  private double expected;

  /** What is believed of a machine of which nothing is known. */
  static MixtureEstimator of(MachineSettings settings) {
    return new MixtureEstimator(
        settings.slowShare(), settings.priorOutliers(), settings.keptEachWindow(settings.memory()));
  }

  /**
   * Nothing known yet.
   *
   * @param slowShare pi, in (0,1/2]
   * @param strength a, above 0
   * @param keptEachWindow see above, in (0,1]
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

  /** g with more, for or against the machine. */
  static double sum(double evidence, double more) {
    return Math.max(0, Math.min(SUREST, evidence + more));
  }

  /** What outcomes add to g; nothing where half of all attempts are outliers. */
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

  /** g after w - pi has been multiplied with a factor. */
  static double faded(double evidence, double kept, double p, double slowShare) {
    double prior = prior(p, slowShare);
    double slow = slow(evidence, prior);
    return logit(prior + (slow - prior) * kept) - logit(prior);
  }

  /** w. */
  private double slow(double p) {
    return slow(evidence, prior(p));
  }

  private static double slow(double evidence, double prior) {
    return 1 / (1 + Math.exp(-logit(prior) - evidence));
  }

  private double prior(double p) {
    return prior(p, slowShare);
  }

  /** pi, but slow machines explain at most half of the outliers, so that p_0 stays above 0. */
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
