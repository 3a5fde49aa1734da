// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.List;

/**
 * Limits how much one user's jobs can count against one machine.
 *
 * <p>{@link ClaimLedger} bounds what an application says by its containers. That is not enough: who
 * runs a few containers on a machine, and calls all of them outliers, could make it a slow one for
 * everybody. So what the jobs of one user say together moves the odds that a machine is slow by
 * half of the way at most, and its outliers by half of what the prior weighs:
 *
 * <pre>
 *   e = max(0, e + w dg)   &lt;=  log(1/pi) / 2
 *   x = max(0, x + w dx)   &lt;=  a / 2
 * </pre>
 *
 * <p>dg is what the outcomes add to g, dx how many outliers they have more than the same jobs lead
 * to expect (both as in {@link MixtureEstimator}), pi and a are the settings' {@code slowShare} and
 * {@code priorOutliers}; w in [0,1] is the largest weight for which both hold, and what the
 * outcomes are taken in with. Under the default settings one user alone never makes a machine slow
 * by {@link SlowMachineRule#DEFAULT}, two users can. What speaks for a machine always has its full
 * weight.
 *
 * <p>The bound protects <em>other users</em>. A user whose jobs lie does no harm if only his own
 * jobs believe them. So for his own jobs everything counts that they have reported, without a
 * bound:
 *
 * <pre>
 *   s = max(0, s + dg)            and p_m, for the user's own jobs, by max(g, s) in the place of g
 * </pre>
 *
 * <p>where dg is also that of other users' jobs if it speaks for the machine.
 *
 * <p>Where all jobs run as one user, as with a Hive that runs queries under its own name, slow
 * machines are found as if that user were trusted. A hostile user cannot wait for a moment to
 * strike, because s never enters g, p, or anything that another user is told, even if nobody else
 * has reported for days. A rule by who is alone in the cluster would have such a moment. It would
 * count everything that a single user reports until another one comes, and take it back then; it
 * would answer the first question of the next morning by what was reported at night; and one small
 * job of another user would make a cluster with one user forget everything.
 *
 * <p>e and s grow old as g does, and x as the counts do; so g is never larger than the sum of all
 * e. Not in the papers, whose clusters trust their jobs.
 */
final class UserWeight {
  /** Below this nothing is remembered. */
  private static final double NOTHING = 1e-3;

  private double evidence;
  private double excess;
  private double unbounded;

  /** What is to be taken in of outcomes, as a weight in [0,1]; it is put on the account. */
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
   * Jobs of others say something.
   *
   * @param against what it adds to g
   */
  void othersSay(double against) {
    unbounded = MixtureEstimator.sum(unbounded, Math.min(0, against));
  }

  /** s, which counts for the user's own jobs. */
  double unbounded() {
    return unbounded;
  }

  /** What is known of the machine grows old. */
  void windowsEnd(double kept, double p, MachineSettings settings) {
    evidence = MixtureEstimator.faded(evidence, kept, p, settings.slowShare());
    unbounded = MixtureEstimator.faded(unbounded, kept, p, settings.slowShare());
    excess *= kept;
  }

  /** Whether it is as if the user had never said anything. */
  boolean isEmpty() {
    return sum() == 0;
  }

  /** All that is on the account; nothing of it is below 0. */
  double sum() {
    return evidence + excess + unbounded;
  }

  /** Whether so little is left that a window takes more off g than it gives the user back. */
  boolean isForgotten() {
    return evidence < NOTHING && excess < NOTHING && unbounded < NOTHING;
  }

  /** e and x. */
  List<Double> figures() {
    return List.of(evidence, excess);
  }

  /**
   * What was known.
   *
   * @param figures what {@link #figures} gave
   * @param unbounded s; null in a snapshot of an older version, which did not tell it from e
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
