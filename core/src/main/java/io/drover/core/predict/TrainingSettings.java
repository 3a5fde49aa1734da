// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import io.drover.core.predict.model.Method;
import java.time.Duration;
import java.util.Set;

/**
 * How models are trained.
 *
 * @param method the kind of classifier
 * @param sets the features that it sees; at least one set
 * @param window how far back jobs are looked at (slides: 10 days)
 * @param grace how long a job that is called failing may still run (slides: 20 minutes)
 * @param mostMisjudged the largest share of all jobs that may be good and ended, MFN, in (0,1)
 *     (slides: 1 %)
 * @param mostJobs how many jobs are looked at, at most; the newest
 */
public record TrainingSettings(
    Method method,
    Set<FeatureSet> sets,
    Duration window,
    Duration grace,
    double mostMisjudged,
    int mostJobs) {
  /**
   * The defaults. The source chose ELDA of static and system features; on Google's trace logistic
   * regression of static features and history is better (docs/failure-prediction.md).
   */
  public static final TrainingSettings DEFAULT =
      new TrainingSettings(
          Method.LR,
          Set.of(FeatureSet.STATIC, FeatureSet.HISTORY),
          Duration.ofDays(10),
          Duration.ofMinutes(20),
          0.01,
          500_000);

  /** Checks the ranges. */
  public TrainingSettings {
    sets = Set.copyOf(sets);
    check(!sets.isEmpty(), "at least one set of features is needed");
    check(window.compareTo(Duration.ZERO) > 0, "the window must be longer than nothing");
    check(!grace.isNegative(), "the grace period must not be negative");
    check(mostMisjudged > 0 && mostMisjudged < 1, "MFN must lie in (0,1), was " + mostMisjudged);
    check(mostJobs > 0, "at least one job must be looked at");
  }

  private static void check(boolean good, String problem) {
    if (!good) {
      throw new IllegalArgumentException(problem);
    }
  }

  /** Returns the same with another number of jobs that are looked at. */
  public TrainingSettings of(int jobs) {
    return new TrainingSettings(method, sets, window, grace, mostMisjudged, jobs);
  }

  /** Returns the grace period in seconds. */
  public double graceSeconds() {
    return grace.toMillis() / 1e3;
  }
}
