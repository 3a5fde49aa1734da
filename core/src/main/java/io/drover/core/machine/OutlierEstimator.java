// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Estimates, for one machine, p_m: the probability that an attempt on it is an outlier. {@link
 * MixtureEstimator} is what ships; the benchmarks compare others with it.
 *
 * <p>All methods take O(1) time and memory. The caller passes in the cluster's probability p, which
 * is in (0,1/2]: fewer than half of a job's attempts can be slower than twice their median.
 */
interface OutlierEstimator {
  /**
   * Takes in the outcomes of a job's attempts on the machine.
   *
   * @param p that of all other machines: a slow machine in a small cluster raises p, which must not
   *     excuse it
   * @param weight the weight of the outcomes, in [0,1]
   */
  void observe(AdmittedOutcomes outcomes, double p, double weight);

  /**
   * Ends windows, so that what is known counts less.
   *
   * @param windows the number of windows that have ended, at least 1; all observations since the
   *     last call belong to the first of them
   */
  void windowsEnd(int windows, double p);

  /** Returns p_m, in [0,1]. */
  double probability(double p);

  /**
   * Returns p_m for the jobs of one user, which includes everything that these jobs have reported.
   *
   * @return at least p_m; empty if it is p_m
   */
  default OptionalDouble probabilityFor(UserWeight user, double p) {
    return OptionalDouble.empty();
  }

  /** Returns the state as finite numbers, for a snapshot. */
  double[] figures();

  /**
   * Restores the state that {@link #figures} returned.
   *
   * @throws IllegalArgumentException if the figures are not valid
   */
  void restore(double[] figures);

  /** Checks the number of figures, and that each is finite and not negative. */
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
