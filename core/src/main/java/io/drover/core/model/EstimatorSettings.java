// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.time.Duration;

/**
 * The settings of the estimators.
 *
 * @param period the time between two progress reports of a task, the least that Delta can be
 * @param windowReports length of the moving average, in reports, at least 2. Mantri section 5.5
 *     says "a moving average" and gives no length. With 6, the error of t_rem stays within Mantri's
 *     2.9 % on recorded reports, and a task that stalls is detected within 7 or 8 reports
 * @param minReports an attempt with fewer reports than this in its sub-phase has no rate, at least
 *     2
 * @param minObservations with fewer observed attempts than this a phase answers "don't know", at
 *     least 1
 */
public record EstimatorSettings(
    Duration period, int windowReports, int minReports, int minObservations) {

  /** An attempt has a pace once it has done this fraction of its work. */
  public static final double MIN_PROGRESS = 0.05;

  /** Returns the defaults for reports every {@code period}. */
  public static EstimatorSettings withPeriod(Duration period) {
    return new EstimatorSettings(period, 6, 3, 1);
  }

  /** Checks the ranges above. */
  public EstimatorSettings {
    if (period.isNegative() || period.isZero()) {
      throw new IllegalArgumentException("period must be positive, was " + period);
    }
    if (windowReports < 2 || minReports < 2 || minObservations < 1) {
      throw new IllegalArgumentException(
          "windowReports and minReports must be at least 2, minObservations at least 1");
    }
  }

  /** Returns the time between two reports in seconds. */
  public double periodSeconds() {
    return period.toNanos() / 1e9;
  }
}
