// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.time.Duration;

/**
 * How {@link MachineStatistics} learns. Where a default rests on a measurement, that is in
 * docs/machine-statistics.md.
 *
 * @param window in which attempts are counted, and after which what is known grows older; 1 s to 1
 *     day. What is told is used at once, so its length matters little; 300 s
 * @param memory half-life of what is known of a machine's outliers, from one window to 365 days; 3
 *     h
 * @param clusterMemory half-life of what is known of the cluster's, likewise; 24 h: p is "roughly
 *     constant over time" (Dolly section 3.1)
 * @param lossMemory half-life of what is known of lost outputs, likewise; 7 days: the machines that
 *     lose most are "steady over days but vary over weeks" (Mantri section 4.2)
 * @param forgetAfter a machine that was not heard of for so long is forgotten, likewise; 14 days
 * @param leastAttempts while fewer attempts have been judged in the whole cluster, older ones
 *     counting less, p is not known; at least 1; 20
 * @param priorOutliers a, how much p weighs in p_m, in expected outliers, above 0 and at most 1000;
 *     2
 * @param slowShare pi, the share of machines that are thought to be slow while nothing is known of
 *     them, in (0,1/2]; 0.001
 */
public record MachineSettings(
    Duration window,
    Duration memory,
    Duration clusterMemory,
    Duration lossMemory,
    Duration forgetAfter,
    int leastAttempts,
    double priorOutliers,
    double slowShare) {

  private static final Duration LONGEST = Duration.ofDays(365);

  /** What is used where nobody says otherwise. */
  public static final MachineSettings DEFAULT =
      new MachineSettings(
          Duration.ofMinutes(5),
          Duration.ofHours(3),
          Duration.ofDays(1),
          Duration.ofDays(7),
          Duration.ofDays(14),
          20,
          2,
          0.001);

  /** Checks the ranges above. */
  public MachineSettings {
    check("window", window, Duration.ofSeconds(1), Duration.ofDays(1));
    check("memory", memory, window, LONGEST);
    check("clusterMemory", clusterMemory, window, LONGEST);
    check("lossMemory", lossMemory, window, LONGEST);
    check("forgetAfter", forgetAfter, window, LONGEST);
    if (leastAttempts < 1) {
      throw new IllegalArgumentException("leastAttempts must be at least 1, was " + leastAttempts);
    }
    if (!(priorOutliers > 0 && priorOutliers <= 1000)) {
      throw new IllegalArgumentException(
          "priorOutliers must lie in (0,1000], was " + priorOutliers);
    }
    if (!(slowShare > 0 && slowShare <= 0.5)) {
      throw new IllegalArgumentException("slowShare must lie in (0,1/2], was " + slowShare);
    }
  }

  private static void check(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          String.format("%s must lie between %s and %s, was %s", name, least, most, value));
    }
  }

  /** The window, in seconds. */
  double windowSeconds() {
    return window.toNanos() / 1e9;
  }

  /** What is left of a count when a window ends, for a given half-life. */
  double keptEachWindow(Duration halfLife) {
    return Math.pow(0.5, (double) window.toNanos() / halfLife.toNanos());
  }
}
