// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import java.time.Duration;

/**
 * The settings of a {@link Quarantine}, which gives the reasons for the defaults.
 *
 * @param outlierProbability the smallest p_m of a machine that is quarantined, in [0.1, 0.5];
 *     default 0.4
 * @param after how long a machine must be that bad before it is quarantined; default 10 min
 * @param time how long the first quarantine of a machine lasts; default 30 min
 * @param longest how long a quarantine lasts at most, not less than {@code time}; default 8 h
 * @param share the largest share of the machines that is quarantined, in [0.001, 0.25]; default
 *     0.02
 * @param leastMachines the number of machines below which none is quarantined, at least 2; default
 *     10
 */
public record QuarantineSettings(
    double outlierProbability,
    Duration after,
    Duration time,
    Duration longest,
    double share,
    int leastMachines) {
  /** Checks the ranges above. */
  public QuarantineSettings {
    if (!(outlierProbability >= 0.1 && outlierProbability <= 0.5)) {
      throw new IllegalArgumentException(
          "outlierProbability must lie in [0.1,0.5], was " + outlierProbability);
    }
    if (after.isNegative() || time.isNegative() || longest.compareTo(time) < 0) {
      throw new IllegalArgumentException(
          String.format(
              "after (%s) and time (%s) must not be negative, nor longest (%s) less than time",
              after, time, longest));
    }
    if (!(share >= 0.001 && share <= 0.25)) {
      throw new IllegalArgumentException("share must lie in [0.001,0.25], was " + share);
    }
    if (leastMachines < 2) {
      throw new IllegalArgumentException("leastMachines must be at least 2, was " + leastMachines);
    }
  }
}
