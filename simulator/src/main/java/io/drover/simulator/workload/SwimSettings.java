// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

/**
 * Settings that turn jobs of the SWIM format into tasks.
 *
 * @param machines the size of the cluster, at least 1; a job has at most a fifth as many reduces
 * @param blockBytes the block size of the file system, at least 1; each block gets one map
 * @param bytesPerReduce the shuffle and output bytes per reduce, at least 1
 * @param rates how fast the code is
 * @param hours how many of the 24 one-hour samples are replayed, 1 to 24; the rest of the file is
 *     checked and left out
 * @param seed the seed of everything that is modelled
 */
public record SwimSettings(
    int machines, long blockBytes, long bytesPerReduce, Rates rates, int hours, long seed) {
  /** The block size of Hadoop 3, and the one of the totals in the traces' README. */
  public static final long DEFAULT_BLOCK_BYTES = 128L << 20;

  /** 1 GB. Modelled: SWIM leaves this value to the user, and Hive's default was 1 GB until 0.14. */
  public static final long DEFAULT_BYTES_PER_REDUCE = 1L << 30;

  private static final int ALL_HOURS = 24;

  /** Checks the ranges above. */
  public SwimSettings {
    atLeastOne("machines", machines);
    atLeastOne("blockBytes", blockBytes);
    atLeastOne("bytesPerReduce", bytesPerReduce);
    if (hours < 1 || hours > ALL_HOURS) {
      throw new IllegalArgumentException("hours must lie in 1 to 24, was " + hours);
    }
  }

  /** Returns the defaults: blocks of 128 MB, 1 GB per reduce, the whole file, seed 1. */
  public static SwimSettings of(int machines) {
    return new SwimSettings(
        machines, DEFAULT_BLOCK_BYTES, DEFAULT_BYTES_PER_REDUCE, Rates.DEFAULT, ALL_HOURS, 1);
  }

  /** Returns the same settings with only the first hours. */
  public SwimSettings withHours(int first) {
    return new SwimSettings(machines, blockBytes, bytesPerReduce, rates, first, seed);
  }

  /** Returns the same settings with another seed. */
  public SwimSettings withSeed(long other) {
    return new SwimSettings(machines, blockBytes, bytesPerReduce, rates, hours, other);
  }

  /** Returns the same settings with other sizes of a map and a reduce. */
  public SwimSettings withTaskSizes(long block, long perReduce) {
    return new SwimSettings(machines, block, perReduce, rates, hours, seed);
  }

  /** Returns the same settings with other rates. */
  public SwimSettings withRates(Rates other) {
    return new SwimSettings(machines, blockBytes, bytesPerReduce, other, hours, seed);
  }

  /** Returns the end of the hours in seconds; infinite for all 24, as the last overruns by 8 s. */
  double endSeconds() {
    return hours == ALL_HOURS ? Double.POSITIVE_INFINITY : hours * 3600.0;
  }

  private static void atLeastOne(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, was " + value);
    }
  }
}
