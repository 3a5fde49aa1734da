// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * An estimate for one machine: p_m, the probability that an attempt on it is an outlier. {@link
 * MixtureEstimator} is what ships; the benchmarks compare others with it.
 *
 * <p>All of it is O(1) in time and memory. The cluster's probability p is handed in, in (0,1/2]: no
 * more than half of a job's attempts can be slower than twice their median.
 */
interface OutlierEstimator {
  /**
   * Takes in what a job's attempts on the machine came to.
   *
   * @param p of all other machines: in a small cluster, what a slow machine does to p must not
   *     excuse it
   * @param weight with which they count, in [0,1]
   */
  void observe(AdmittedOutcomes outcomes, double p, double weight);

  /**
   * Time passes, and what is known grows old.
   *
   * @param windows that have ended, at least 1; all that was observed since the last call belongs
   *     to the first of them
   */
  void windowsEnd(int windows, double p);

  /** p_m, in [0,1]. */
  double probability(double p);

  /**
   * p_m for the jobs of one user, by what they have said themselves too.
   *
   * @return at least p_m; empty where it is p_m
   */
  default OptionalDouble probabilityFor(UserWeight user, double p) {
    return OptionalDouble.empty();
  }

  /** All that is known, as finite numbers, for a snapshot. */
  double[] figures();

  /**
   * Takes over what {@link #figures} gave.
   *
   * @throws IllegalArgumentException if these are no such figures
   */
  void restore(double[] figures);

  /** Checks that figures are as many as they should be, and finite and not negative. */
  static void check(double[] figures, int count) {
    boolean good = figures.length == count;
    for (double figure : figures) {
      good &= figure >= 0 && figure < Double.POSITIVE_INFINITY;
    }
    if (!good) {
      throw new IllegalArgumentException(
          "figures must be " + count + " numbers of at least 0, were " + Arrays.toString(figures));
    }
  }
}
