// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.List;

/**
 * Limits how much one user's jobs can count against one machine.
 *
 * <p>{@link ClaimLedger} bounds what an application claims by its containers. That is not enough: a
 * user who runs a few containers on a machine, and reports all of them as outliers, could make it a
 * slow one for everybody. So the jobs of one user together move the odds that a machine is slow by
 * at most half of the way, and its outliers by at most half of the weight of the prior:
 *
 * <pre>
 *   e = max(0, e + w dg)   &lt;=  log(1/pi) / 2
 *   x = max(0, x + w dx)   &lt;=  a / 2
 * </pre>
 *
 * <p>dg is what the outcomes add to g, and dx is how many more outliers they have than the same
 * jobs lead to expect (both as in {@link MixtureEstimator}). pi and a are the settings' {@code
 * slowShare} and {@code priorOutliers}. w in [0,1] is the largest weight for which both bounds
 * hold, and the weight with which the outcomes are taken in. Under the default settings one user
 * alone never makes a machine slow by {@link SlowMachineRule#DEFAULT}, but two users can. Outcomes
 * in favour of a machine always have full weight.
 *
 * <p>The bound protects <em>other users</em>. A user whose jobs lie does no harm if only that
 * user's own jobs believe them. So everything that these jobs have reported counts for them,
 * without a bound:
 *
 * <pre>
 *   s = max(0, s + dg)            and p_m, for the user's own jobs, uses max(g, s) instead of g
 * </pre>
 *
 * <p>Here dg also covers the outcomes of other users' jobs if they favour the machine.
 *
 * <p>If all jobs run as one user (a Hive that runs queries under its own name, for example), slow
 * machines are found as if that user were trusted. A hostile user cannot wait for a moment to
 * strike, because s never enters g, p, or anything that another user is told, even if nobody else
 * has reported for days. A rule that asks who is alone in the cluster would have such a moment. It
 * would count everything that a single user reports until another one comes, and take it back then.
 * It would answer the first query of the next morning by what was reported at night. And one small
 * job of another user would make a cluster with one user forget everything.
 *
 * <p>e and s decay as g does, and x as the counts do. So without trusted users g is never larger
 * than the sum of all e. This is not in the papers, whose clusters trust their jobs. Lost outputs
 * are bounded in another way ({@link OutputAccounts}).
 */
final class UserWeight {
  /** Values below this are forgotten. */
  private static final double NOTHING = 1e-3;

  private double evidence;
  private double excess;
  private double unbounded;

  /** Enters outcomes in the account and returns the weight for taking them in, in [0,1]. */
  double weigh(AdmittedOutcomes outcomes, double p, MachineSettings settings) {
    double rate = outcomes.rateElsewhere(p);
    double against = MixtureEstimator.evidence(outcomes, p);
    double beyond = outcomes.outliers() - outcomes.attempts() * rate;
    double weight = 1;
    if (against > 0) {
      weight = Math.min(weight, (mostEvidence(settings) - evidence) / against);
    }
    if (beyond > 0) {
      weight = Math.min(weight, (settings.priorOutliers() / 2 - excess) / beyond);
    }
    weight = Math.max(0, weight);
    evidence = Math.max(0, evidence + weight * against);
    excess = Math.max(0, excess + weight * beyond);
    unbounded = MixtureEstimator.sum(unbounded, against);
    return weight;
  }

  private static double mostEvidence(MachineSettings settings) {
    return -Math.log(settings.slowShare()) / 2;
  }

  /**
   * Takes in outcomes of other users' jobs, which count only in favour of the machine.
   *
   * @param against what they add to g
   */
  void othersSay(double against) {
    unbounded = MixtureEstimator.sum(unbounded, Math.min(0, against));
  }

  /** Returns s, which counts for the user's own jobs. */
  double unbounded() {
    return unbounded;
  }

  void windowsEnd(double kept, double p, MachineSettings settings) {
    evidence = MixtureEstimator.faded(evidence, kept, p, settings.slowShare());
    unbounded = MixtureEstimator.faded(unbounded, kept, p, settings.slowShare());
    excess *= kept;
  }

  boolean isEmpty() {
    return sum() == 0;
  }

  /** Returns e + x + s, each of which is at least 0. */
  double sum() {
    return evidence + excess + unbounded;
  }

  /** Returns whether so little is left that a window takes more off g than it gives the user. */
  boolean isForgotten() {
    return evidence < NOTHING && excess < NOTHING && unbounded < NOTHING;
  }

  /** Returns e and x. */
  List<Double> figures() {
    return List.of(evidence, excess);
  }

  /**
   * Restores an account from a snapshot.
   *
   * @param figures what {@link #figures} returned
   * @param unbounded s; null in a snapshot of an older version, in which it is e
   */
  static UserWeight of(List<Double> figures, Double unbounded) {
    OutlierEstimator.check(figures.stream().mapToDouble(Double::doubleValue).toArray(), 2);
    double s = unbounded == null ? figures.get(0) : unbounded;
    OutlierEstimator.check(new double[] {s}, 1);
    UserWeight weight = new UserWeight();
    weight.evidence = figures.get(0);
    weight.excess = figures.get(1);
    weight.unbounded = MixtureEstimator.sum(0, s);
    return weight;
  }
}
