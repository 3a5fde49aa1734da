// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

/** Draws from the distributions that the models need: each is a function of its key. */
public final class Draws {
  private Draws() {}

  /**
   * The key of whom a draw is for.
   *
   * @param seed of the run
   * @param whom from the general to the particular: what is drawn, of which job, of which task...
   */
  public static long key(long seed, long... whom) {
    long key = seed;
    for (long part : whom) {
      key = Chance.mix(key, part);
    }
    return key;
  }

  /** Uniform in (from, to). */
  public static double uniform(long key, double from, double to) {
    return from + (to - from) * Chance.uniform(key);
  }

  /** Uniform on the logarithm, in (from, to); both above 0. */
  public static double logUniform(long key, double from, double to) {
    return from * Math.pow(to / from, Chance.uniform(key));
  }

  /** Exponential of the given mean. */
  public static double exponential(long key, double mean) {
    return -mean * Math.log(Chance.uniform(key));
  }

  /** Of mean 0 and standard deviation 1, by Box and Muller. */
  public static double standardNormal(long key) {
    double radius = Math.sqrt(-2 * Math.log(Chance.uniform(Chance.mix(key, 0))));
    return radius * Math.cos(2 * Math.PI * Chance.uniform(Chance.mix(key, 1)));
  }

  /** Of which the logarithm is normal, around log median, with standard deviation sigma. */
  public static double logNormal(long key, double median, double sigma) {
    return median * Math.exp(sigma * standardNormal(key));
  }

  /**
   * Pareto, {@code P(X > x) = (x / least)^-shape}, given that it is at most {@code most}: the tail
   * beyond is spread over the rest, so that nothing piles up at the end.
   */
  public static double paretoUpTo(long key, double least, double most, double shape) {
    double beyond = Math.pow(most / least, -shape);
    double survival = beyond + (1 - beyond) * Chance.uniform(key);
    return Math.min(most, least * Math.pow(survival, -1 / shape));
  }

  /** One of several values, each as likely as another. */
  public static double oneOf(long key, double[] values) {
    return values[index(key, values.length)];
  }

  /** One of the indices from 0 to {@code count - 1}, each as likely as another. */
  public static int index(long key, int count) {
    return (int) (Chance.uniform(key) * count);
  }
}
