// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.simulator.world.Draws;

/**
 * How unevenly the data of a phase are divided over its tasks.
 *
 * <p>Mantri section 4.2: "Across phases, the coefficient of variation (stdev / mean) in data size
 * is .34 and 3.1 at the 50th and 90th percentiles." Modelled: the coefficient is lognormal with
 * these two quantiles, so its sigma is {@code ln(3.1 / .34) / z(0.9)} = 1.72; the sizes of a phase
 * are lognormal with that coefficient, so their sigma is {@code sqrt(ln(1 + cv^2))}.
 *
 * <p>The coefficient is that of the distribution. The sizes drawn from it spread by less when they
 * are few: n numbers have a coefficient of sqrt(n - 1) at most, and a large one rests on sizes so
 * rare that a small phase has none of them.
 */
final class DataSkew {
  private static final double MEDIAN = 0.34;
  private static final double NINETIETH = 3.1;

  /** The 90th percentile of the standard normal distribution. */
  private static final double Z_90 = 1.2815515655446004;

  private static final double SIGMA = Math.log(NINETIETH / MEDIAN) / Z_90;

  /** For people. */
  static final String SOURCE =
      "lognormal sizes, whose coefficient of variation is lognormal over phases with 0.34 and 3.1"
          + " at the 50th and 90th percentiles (Mantri section 4.2)";

  private DataSkew() {}

  /** The coefficient of variation of a phase. */
  static double coefficient(long key) {
    return Draws.logNormal(key, MEDIAN, SIGMA);
  }

  /**
   * Divides bytes over tasks.
   *
   * @param total bytes, at most 2^53
   * @param tasks at least 1
   * @param coefficient of variation of the distribution of sizes, at least 0
   * @return of each task; their sum is {@code total}
   */
  static long[] split(long total, int tasks, double coefficient, long key) {
    double sigma = Math.sqrt(Math.log1p(coefficient * coefficient));
    double[] upTo = new double[tasks];
    double sum = 0;
    for (int task = 0; task < tasks; task++) {
      sum += Draws.logNormal(Draws.key(key, task), 1, sigma);
      upTo[task] = sum;
    }
    // Rounding the running sum, and not each size, keeps the total.
    long[] bytes = new long[tasks];
    long given = 0;
    for (int task = 0; task < tasks; task++) {
      long next = Math.round(total * (upTo[task] / sum));
      bytes[task] = next - given;
      given = next;
    }
    return bytes;
  }
}
