// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

/** Draws from the distributions that the models need. Each draw is a function of its key. */
public final class Draws {
  private Draws() {}

  /**
   * Returns the key for a draw.
   *
   * @param seed of the run
   * @param whom what the draw is for, from general to particular: quantity, job, task and so on
   */
  public static long key(long seed, long... whom) {
    long key = seed;
    for (long part : whom) {
      key = Chance.mix(key, part);
    }
    return key;
  }

  /** Draws uniformly from (from, to). */
  public static double uniform(long key, double from, double to) {
    return from + (to - from) * Chance.uniform(key);
  }

  /** Draws a number in (from, to) whose logarithm is uniform; both bounds are above 0. */
  public static double logUniform(long key, double from, double to) {
    return from * Math.pow(to / from, Chance.uniform(key));
  }

  /** Draws from the exponential distribution with the given mean. */
  public static double exponential(long key, double mean) {
    return -mean * Math.log(Chance.uniform(key));
  }

  /** Draws from the standard normal distribution by the method of Box and Muller. */
  public static double standardNormal(long key) {
    double radius = Math.sqrt(-2 * Math.log(Chance.uniform(Chance.mix(key, 0))));
    return radius * Math.cos(2 * Math.PI * Chance.uniform(Chance.mix(key, 1)));
  }

  /** Draws a number whose logarithm is normal with mean {@code log(median)} and deviation sigma. */
  public static double logNormal(long key, double median, double sigma) {
    return median * Math.exp(sigma * standardNormal(key));
  }

  /**
   * Draws from the Pareto distribution {@code P(X > x) = (x / least)^-shape}, conditioned on values
   * of at most {@code most}. The probability of larger values is spread over the rest, so nothing
   * piles up at {@code most}.
   */
  public static double paretoUpTo(long key, double least, double most, double shape) {
    double beyond = Math.pow(most / least, -shape);
    double survival = beyond + (1 - beyond) * Chance.uniform(key);
    return Math.min(most, least * Math.pow(survival, -1 / shape));
  }

  /** Draws one of several equally likely values. */
  public static double oneOf(long key, double[] values) {
    return values[index(key, values.length)];
  }

  /** Draws an index from 0 to {@code count - 1}; all are equally likely. */
  public static int index(long key, int count) {
    return (int) (Chance.uniform(key) * count);
  }
}
