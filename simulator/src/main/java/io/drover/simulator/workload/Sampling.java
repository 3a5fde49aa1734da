// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

/**
 * Which jobs of a workload need any K of N input blocks.
 *
 * @param ratio K/N, in [0.01,1]
 * @param share of the jobs that sample, in (0,1]
 */
public record Sampling(double ratio, double share) {
  /** The least K/N: KMN section 6, figure 11; all blocks of a job must fit in memory. */
  public static final double LEAST_RATIO = 0.01;

  /** Checks the ranges above. */
  public Sampling {
    if (!(ratio >= LEAST_RATIO && ratio <= 1)) {
      throw new IllegalArgumentException("K/N must lie in [0.01,1], was " + ratio);
    }
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("the share must lie in (0,1], was " + share);
    }
  }

  /** As people type it: {@code K/N:SHARE}. */
  @Override
  public String toString() {
    return ratio + ":" + share;
  }
}
