// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.simulator.world.Draws;

/**
 * Models how unevenly the data of a phase is divided over its tasks.
 *
 * <p>Mantri section 4.2: "Across phases, the coefficient of variation (stdev / mean) in data size
 * is .34 and 3.1 at the 50th and 90th percentiles." Modelled: the coefficient is lognormal with
 * these two quantiles, so its sigma is {@code ln(3.1 / .34) / z(0.9)} = 1.72. The sizes of a phase
 * are lognormal with that coefficient, so their sigma is {@code sqrt(ln(1 + cv^2))}.
 *
 * <p>The coefficient is that of the distribution. If only few sizes are drawn from it, they vary
 * less: n numbers have a coefficient of at most sqrt(n - 1), and a large coefficient comes from
 * sizes so rare that a small phase has none of them.
 */
final class DataSkew {
  private static final double MEDIAN = 0.34;
  private static final double NINETIETH = 3.1;

  /** The 90th percentile of the standard normal distribution. */
  private static final double Z_90 = 1.2815515655446004;

  private static final double SIGMA = Math.log(NINETIETH / MEDIAN) / Z_90;

  /** A description of the model for reports. */
  static final String SOURCE =
      "lognormal sizes, whose coefficient of variation is lognormal over phases with 0.34 and 3.1"
          + " at the 50th and 90th percentiles (Mantri section 4.2)";

  private DataSkew() {}

  /** Draws the coefficient of variation of a phase. */
  static double coefficient(long key) {
    return Draws.logNormal(key, MEDIAN, SIGMA);
  }

  /**
   * Divides bytes over tasks.
   *
   * @param total the bytes to divide, at most 2^53
   * @param tasks the number of tasks, at least 1
   * @param coefficient the coefficient of variation of the distribution of sizes, at least 0
   * @return the bytes of each task; their sum is {@code total}
   */
  static long[] split(long total, int tasks, double coefficient, long key) {
    double sigma = Math.sqrt(Math.log1p(coefficient * coefficient));
    double[] upTo = new double[tasks];
    double sum = 0;
    for (int task = 0; task < tasks; task++) {
      sum += Draws.logNormal(Draws.key(key, task), 1, sigma);
      upTo[task] = sum;
    }
    // Rounding the running sum instead of each size keeps the total.
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
