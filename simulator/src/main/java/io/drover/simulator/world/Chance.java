// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

/**
 * Chance as a function: numbers that follow from a seed and from whom they are for, and not from
 * how many were asked for before. So two runs that differ in one decision still meet the same luck
 * everywhere else.
 *
 * <p>The mixing is that of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators", OOPSLA 2014), as in {@link java.util.SplittableRandom}.
 */
public final class Chance {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private Chance() {}

  /** A number that depends on both, and looks like chance. */
  public static long mix(long seed, long whom) {
    long z = seed + GOLDEN_GAMMA * (whom + 1);
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** A number in (0,1), never 0 and never 1. */
  public static double uniform(long mixed) {
    return ((mixed >>> 11) + 0.5) * 0x1.0p-53;
  }
}
