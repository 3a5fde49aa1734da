// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import io.drover.core.protect.ProtectSettings.Checks;

/**
 * How long it takes to make the output of a finished task again once it is lost, the chance that
 * its inputs are lost too and must be made again first included, recursively:
 *
 * <pre>
 *   t_redo(i)   = t_i + E[ max over lost inputs j of t_redo(j) ]      seconds, given that i is lost
 *   cost(i)     = r_i * t_redo(i)                                     seconds, expected beforehand
 *   chain 1..k:  t_redo(k) = t_k + r_(k-1) * (t_(k-1) + r_(k-2) * (t_(k-2) + ...))
 * </pre>
 *
 * <p>where t_i is the task's own time and r_i the probability that its output is lost. Several lost
 * inputs are made again in parallel, so that only the longest counts ({@link
 * LongestRecomputation}).
 *
 * <p>Source: Mantri section 5.3, figure 12, and slide 11. Where the print is unclear:
 *
 * <ul>
 *   <li><b>t_redo has two meanings.</b> In the text it is the time to repeat the task, and the cost
 *       is "the product of the probability that the output will be lost and the time to repeat the
 *       task"; the caption of figure 12 compares t_redo itself to t_rep. Slide 11 has r_3 in both
 *       terms of T_Recomp, so what is compared is the product. Here the time is {@link #seconds()}
 *       and the product {@link #expectedSeconds}.
 *   <li><b>Slide 11 breaks off.</b> {@code r3 (1-r2) T3 + r3 r2 (T3 + T2) +} is right for a chain
 *       of two, and is r3 (T3 + r2 T2). A third task is no term to add behind it, which would count
 *       T3 and T2 twice; nor is it T3 + T2 + T1, which takes T1 for certain. Solved by cases:
 *       {@code r3 (1-r2) T3 + r3 r2 (1-r1) (T3 + T2) + r3 r2 r1 (T3 + T2 + T1)}, which is the
 *       nested form above.
 * </ul>
 *
 * <p>With losses that are independent this is exact for a chain, for inputs whose own inputs are
 * safe, and through a shuffle, where all inputs read the same outputs and so wait for the same
 * ones. Where they read different ones, the mean of each input's time stands for the time; as the
 * mean of a maximum is at least the maximum of the means, the result is then too short if anything:
 * it replicates too little, not too much (by 0.6 % at worst in 1,500 random graphs of three layers
 * with losses of at most 10 %). An input of which the loss probability is not known counts as safe,
 * which errs the same way.
 *
 * <p>It knows nothing of slots: neither the wait for one nor the delay until the loss is noticed is
 * in it, unless the caller has them in the task's own time.
 *
 * @param ownSeconds t_i, finite and at least 0
 * @param waitSeconds expected wait for lost inputs, finite and at least 0
 */
public record RecomputationTime(double ownSeconds, double waitSeconds) {
  /** Checks the ranges above. */
  public RecomputationTime {
    Checks.amount("ownSeconds", ownSeconds);
    Checks.amount("waitSeconds", waitSeconds);
  }

  /** Of a task whose inputs are safe: a map that reads replicated blocks. */
  public static RecomputationTime ofSource(double ownSeconds) {
    return new RecomputationTime(ownSeconds, 0);
  }

  /**
   * Of a task that reads one output.
   *
   * @param loss probability that that output is lost, in [0,1]
   * @param input how long that takes to make again
   */
  public static RecomputationTime reading(double ownSeconds, double loss, RecomputationTime input) {
    return new RecomputationTime(ownSeconds, input.expectedSeconds(loss));
  }

  /**
   * Of a task that reads many outputs, each of which may be lost on its own; O(n log n). Tasks that
   * read the same outputs wait for the same time: compute {@link
   * LongestRecomputation#expectedSeconds} once for all of them.
   *
   * @param loss probability that each is lost, in [0,1]
   * @param redoSeconds how long each takes to make again, {@link #seconds()} of its own
   */
  public static RecomputationTime reading(double ownSeconds, double[] loss, double[] redoSeconds) {
    return new RecomputationTime(
        ownSeconds, LongestRecomputation.expectedSeconds(loss, redoSeconds));
  }

  /**
   * Of the last task of a chain in which each reads the output of the one before, and the first
   * reads what is safe.
   *
   * @param ownSeconds t_1 to t_k, at least one
   * @param loss r_1 to r_(k-1): of all outputs but the last one's
   */
  public static RecomputationTime ofChain(double[] ownSeconds, double[] loss) {
    if (ownSeconds.length == 0 || loss.length != ownSeconds.length - 1) {
      throw new IllegalArgumentException(
          "a chain of k tasks has k-1 outputs that are read, not "
              + loss.length
              + " for "
              + ownSeconds.length);
    }
    RecomputationTime time = ofSource(ownSeconds[0]);
    for (int i = 1; i < ownSeconds.length; i++) {
      time = reading(ownSeconds[i], loss[i - 1], time);
    }
    return time;
  }

  /**
   * t_redo: the expected time from the start of the re-run to the output, given that it is lost.
   */
  public double seconds() {
    return ownSeconds + waitSeconds;
  }

  /**
   * Mantri's cost to recompute, T_Recomp of slide 11: what the loss is expected to cost while it is
   * not known whether it comes.
   *
   * @param loss probability that the output, with all its replicas, is lost, in [0,1]
   */
  public double expectedSeconds(double loss) {
    return Checks.probability(loss) * seconds();
  }
}
