// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

/**
 * The constants of late binding, of extra tasks and of the wait for them.
 *
 * @param extraRatio M/K, set by the administrator and never by the job (KMN section 5.3), in
 *     [1,10], as {@code yarn.drover.upstream-ratio}; 1.05, the default of section 6. The paper
 *     tries up to 2 (section 4.1, figure 7)
 * @param localitySeconds how long a job that is offered slots waits for a local one, at least 0; 0
 *     takes any slot at once. KMN section 5.2 has a timeout but gives no value. 3 is the default of
 *     {@code spark.locality.wait}, and KMN is built on Spark
 * @param sampleSeconds how long a job with several samples watches free machines before it binds
 *     its first block, at least 0; 0 binds at the first offer that is local to any sample. It is
 *     not in the paper. 1 is the default heartbeat of a NodeManager, so each machine with a free
 *     slot has been seen once
 * @param coalesce delta: finishes within this share of the time that a stage would take without a
 *     wait count as one, in [0,1); 0.01, KMN section 4.3
 * @param leastFinished the number of finished tasks that a fit of a distribution requires, at least
 *     2; 5 is our choice, because with fewer the two parameters of a fit are mostly noise
 * @param replaceFailed whether another block may replace one whose task failed. It is not in the
 *     paper; false, because leaving out blocks on which the program fails would change the sample
 */
public record SamplingSettings(
    double extraRatio,
    double localitySeconds,
    double sampleSeconds,
    double coalesce,
    int leastFinished,
    boolean replaceFailed) {
  /** The values of the paper, and our own if the paper has none. */
  public static final SamplingSettings KMN = new SamplingSettings(1.05, 3, 1, 0.01, 5, false);

  /** Checks the ranges above. */
  public SamplingSettings {
    check(extraRatio >= 1 && extraRatio <= 10, "extraRatio must lie in [1,10], was ", extraRatio);
    checkSeconds("localitySeconds", localitySeconds);
    checkSeconds("sampleSeconds", sampleSeconds);
    check(coalesce >= 0 && coalesce < 1, "coalesce must lie in [0,1), was ", coalesce);
    check(leastFinished >= 2, "leastFinished must be at least 2, was ", leastFinished);
  }

  private static void checkSeconds(String name, double seconds) {
    check(
        seconds >= 0 && seconds < Double.POSITIVE_INFINITY,
        name + " must be at least 0 and finite, was ",
        seconds);
  }

  private static void check(boolean good, String problem, double value) {
    if (!good) {
      throw new IllegalArgumentException(problem + value);
    }
  }
}
