// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

/**
 * Settings of a {@link SyntheticWorkload}.
 *
 * @param jobs the number of jobs, at least 1
 * @param slots the slots of the cluster (machines times slots per machine), at least 1
 * @param utilization the share of the slots that the jobs keep busy if no attempt is slow, in
 *     (0,1]; slow attempts add to it
 * @param blockBytes the mean input of a map, at least 1, at most 2^40
 * @param rates how fast the code is
 * @param seed the seed of everything random
 */
public record SyntheticSettings(
    int jobs, int slots, double utilization, long blockBytes, Rates rates, long seed) {
  private static final int DEFAULT_JOBS = 1000;

  /** The median slot utilisation of the Facebook cluster in Dolly section 2.1. */
  private static final double DEFAULT_UTILIZATION = 0.21;

  /** Checks the ranges above. */
  public SyntheticSettings {
    if (jobs < 1 || slots < 1) {
      throw new IllegalArgumentException(
          "jobs and slots must be at least 1, were " + jobs + " and " + slots);
    }
    if (!(utilization > 0 && utilization <= 1)) {
      throw new IllegalArgumentException("utilization must lie in (0,1], was " + utilization);
    }
    if (blockBytes < 1 || blockBytes > 1L << 40) {
      throw new IllegalArgumentException("blockBytes must lie in 1 to 2^40, was " + blockBytes);
    }
  }

  /**
   * Returns the defaults: 1000 jobs, 21 % of the slots busy (Dolly section 2.1), blocks of 128 MB,
   * seed 1.
   */
  public static SyntheticSettings of(int machines, int slotsPerMachine) {
    return new SyntheticSettings(
        DEFAULT_JOBS,
        Math.multiplyExact(machines, slotsPerMachine),
        DEFAULT_UTILIZATION,
        SwimSettings.DEFAULT_BLOCK_BYTES,
        Rates.DEFAULT,
        1);
  }

  /** Returns the same settings with another number of jobs. */
  public SyntheticSettings withJobs(int count) {
    return new SyntheticSettings(count, slots, utilization, blockBytes, rates, seed);
  }

  /** Returns the same settings with another utilization. */
  public SyntheticSettings withUtilization(double share) {
    return new SyntheticSettings(jobs, slots, share, blockBytes, rates, seed);
  }

  /** Returns the same settings with another seed. */
  public SyntheticSettings withSeed(long other) {
    return new SyntheticSettings(jobs, slots, utilization, blockBytes, rates, other);
  }

  /** Returns the same settings with other rates. */
  public SyntheticSettings withRates(Rates other) {
    return new SyntheticSettings(jobs, slots, utilization, blockBytes, other, seed);
  }
}
