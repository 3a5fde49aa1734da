// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import org.apache.commons.math3.special.Erf;

/**
 * A distribution of times that are never negative and have a long tail, learnt from observations: a
 * log-normal one. However equal the observations are, it is never narrower than {@value #SPREAD}.
 */
final class LogNormal {
  /**
   * The least standard deviation of the logarithm. A time is exceeded by a factor of 2.4 once in a
   * hundred times then, which is what reports show that are late because a process paused or the
   * network was busy.
   */
  private static final double SPREAD = 0.38;

  /** Shorter times are all the same: a process or a report needs as long. */
  private static final double SHORTEST = 0.1;

  private int count;
  private double mean;
  private double squares;

  /** Adds an observation, in seconds; the mean and the variance are Welford's. */
  void add(double seconds) {
    double log = Math.log(Math.max(SHORTEST, seconds));
    count++;
    double before = log - mean;
    mean += before / count;
    squares += before * (log - mean);
  }

  int count() {
    return count;
  }

  /** Returns the probability that a time is longer than this; 1 before any observation. */
  double survival(double seconds) {
    return count == 0 || !(seconds > 0) ? 1 : tail((Math.log(seconds) - mean) / spread());
  }

  /** Returns the mean in seconds; NaN before any observation. */
  double mean() {
    return count == 0 ? Double.NaN : Math.exp(mean + spread() * spread() / 2);
  }

  /** Returns how much longer a time is on average that is longer than this; NaN as above. */
  double residual(double seconds) {
    if (count == 0 || !(seconds > 0)) {
      return mean();
    }
    double deviations = (Math.log(seconds) - mean) / spread();
    double longer = tail(deviations);
    return longer == 0 ? seconds : mean() * tail(deviations - spread()) / longer - seconds;
  }

  private double spread() {
    return Math.max(SPREAD, count < 2 ? 0 : Math.sqrt(squares / (count - 1)));
  }

  /** Returns the probability of a time longer than this many times the usual one. */
  static double survivalOfRatio(double ratio) {
    return ratio <= 0 ? 1 : tail(Math.log(ratio) / SPREAD);
  }

  private static double tail(double deviations) {
    return 0.5 * Erf.erfc(deviations / Math.sqrt(2));
  }
}
