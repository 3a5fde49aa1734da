// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.time.Duration;

/**
 * The settings of {@link MachineStatistics}. Measurements for the defaults are in docs/results.md.
 *
 * @param window the window in which attempts are counted, and after which older observations count
 *     less; 1 s to 1 day; default 300 s. Reports are used at once, so the length matters little
 * @param memory half-life of what is known about a machine's outliers, from one window to 365 days;
 *     default 3 h
 * @param clusterMemory half-life of what is known about the cluster's outliers, same range; default
 *     24 h, because p is "roughly constant over time" (Dolly section 3.1)
 * @param lossMemory half-life of what is known about lost outputs, same range; default 7 days: the
 *     machines that lose most are "steady over days but vary over weeks" (Mantri section 4.2)
 * @param forgetAfter a machine without news for this long is forgotten, same range; default 14 days
 * @param leastAttempts p is unknown while fewer attempts have been judged in the whole cluster,
 *     with older ones counting less; at least 1; default 20
 * @param priorOutliers a, the weight of p in p_m, in expected outliers, in (0,1000]; default 2
 * @param slowShare pi, the share of machines assumed to be slow while nothing is known about them,
 *     in (0,1/2]; default 0.001
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

  /** The default settings. */
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

  double windowSeconds() {
    return window.toNanos() / 1e9;
  }

  /** Returns the share of a count that is left when a window ends, for a given half-life. */
  double keptEachWindow(Duration halfLife) {
    return Math.pow(0.5, (double) window.toNanos() / halfLife.toNanos());
  }
}
