// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

/**
 * What is to be made by {@link SyntheticWorkload}.
 *
 * @param jobs how many, at least 1
 * @param slots of the cluster: machines times slots of each, at least 1
 * @param utilization share of the slots that the jobs keep busy, in (0,1], if no attempt is slow:
 *     slow attempts come on top
 * @param blockBytes mean input of a map, at least 1, at most 2^40
 * @param rates how fast the code is
 * @param seed of everything
 */
public record SyntheticSettings(
    int jobs, int slots, double utilization, long blockBytes, Rates rates, long seed) {
  private static final int DEFAULT_JOBS = 1000;

  /** The median utilisation of slots of the Facebook cluster of Dolly section 2.1. */
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
   * The defaults: 1000 jobs, 21 % of the slots busy (Dolly section 2.1), blocks of 128 MB, seed 1.
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

  /** The same with another number of jobs. */
  public SyntheticSettings withJobs(int count) {
    return new SyntheticSettings(count, slots, utilization, blockBytes, rates, seed);
  }

  /** The same with a cluster that is more, or less, busy. */
  public SyntheticSettings withUtilization(double share) {
    return new SyntheticSettings(jobs, slots, share, blockBytes, rates, seed);
  }

  /** The same with another seed. */
  public SyntheticSettings withSeed(long other) {
    return new SyntheticSettings(jobs, slots, utilization, blockBytes, rates, other);
  }

  /** The same with other rates. */
  public SyntheticSettings withRates(Rates other) {
    return new SyntheticSettings(jobs, slots, utilization, blockBytes, other, seed);
  }
}
