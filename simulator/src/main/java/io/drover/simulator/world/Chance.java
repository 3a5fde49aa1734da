// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

/**
 * Computes random numbers as a function: each follows from a seed and from the entity that it is
 * for, and does not depend on how many numbers were requested before. So two runs that differ in
 * one decision still get the same random numbers everywhere else.
 *
 * <p>The mixing is that of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators", OOPSLA 2014), as in {@link java.util.SplittableRandom}.
 */
public final class Chance {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private Chance() {}

  /** Mixes a seed and the number of an entity into a pseudorandom number. */
  public static long mix(long seed, long whom) {
    long z = seed + GOLDEN_GAMMA * (whom + 1);
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Maps a mixed number to (0,1); the result is never 0 and never 1. */
  public static double uniform(long mixed) {
    return ((mixed >>> 11) + 0.5) * 0x1.0p-53;
  }
}
