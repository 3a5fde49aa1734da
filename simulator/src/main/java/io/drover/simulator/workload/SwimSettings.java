// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

/**
 * How jobs of the SWIM format are made into tasks.
 *
 * @param machines of the cluster that replays them, at least 1: a job has at most a fifth as many
 *     reduces
 * @param blockBytes of the file system: one map for each block, at least 1
 * @param bytesPerReduce shuffle and output bytes for each of which a job has one reduce, at least 1
 * @param rates how fast the code is
 * @param hours how many of the 24 one-hour samples are replayed, 1 to 24; the rest of the file is
 *     checked and left out
 * @param seed of what is modelled
 */
public record SwimSettings(
    int machines, long blockBytes, long bytesPerReduce, Rates rates, int hours, long seed) {
  /** The block size of Hadoop 3, and the one of the totals in the traces' README. */
  public static final long DEFAULT_BLOCK_BYTES = 128L << 20;

  /** 1 GB: modelled, since SWIM leaves it to who replays; Hive's default was 1 GB until 0.14. */
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

  /** The defaults for a cluster: blocks of 128 MB, 1 GB for a reduce, the whole file, seed 1. */
  public static SwimSettings of(int machines) {
    return new SwimSettings(
        machines, DEFAULT_BLOCK_BYTES, DEFAULT_BYTES_PER_REDUCE, Rates.DEFAULT, ALL_HOURS, 1);
  }

  /** The same with only the first hours. */
  public SwimSettings withHours(int first) {
    return new SwimSettings(machines, blockBytes, bytesPerReduce, rates, first, seed);
  }

  /** The same with another seed. */
  public SwimSettings withSeed(long other) {
    return new SwimSettings(machines, blockBytes, bytesPerReduce, rates, hours, other);
  }

  /** The same with other sizes of a map and of a reduce. */
  public SwimSettings withTaskSizes(long block, long perReduce) {
    return new SwimSettings(machines, block, perReduce, rates, hours, seed);
  }

  /** The same with other rates. */
  public SwimSettings withRates(Rates other) {
    return new SwimSettings(machines, blockBytes, bytesPerReduce, other, hours, seed);
  }

  /** Before this second the replayed samples end; never for all 24, whose last runs over by 8 s. */
  double endSeconds() {
    return hours == ALL_HOURS ? Double.POSITIVE_INFINITY : hours * 3600.0;
  }

  private static void atLeastOne(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, was " + value);
    }
  }
}
