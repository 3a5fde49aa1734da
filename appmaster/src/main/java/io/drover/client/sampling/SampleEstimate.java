// SPDX-License-Identifier: Apache-2.0
package io.drover.client.sampling;

import java.util.Arrays;
import java.util.Locale;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * An estimate of a total over all N blocks of an input, from the totals of the K blocks of a simple
 * random sample, with its confidence interval.
 *
 * <pre>
 *   estimate    N y,                  y the mean of the K totals
 *   half width  t N s sqrt((1 - K/N) / K),   s their standard deviation, t with K - 1 degrees
 * </pre>
 *
 * <p>Source: Cochran, Sampling Techniques, 3rd edition, equations 2.14 and 2.24. Rows of a block
 * are alike more often than rows from anywhere, so a block counts as one observation and not as
 * many: this is cluster sampling with equal probabilities (Cochran, section 9A).
 *
 * <p><b>When this holds.</b> The blocks must be a random sample with respect to what is estimated.
 * Late binding takes the blocks of nodes with free containers, which is as good as random unless
 * the placement of blocks, or the speed of their nodes, has to do with their content. It does not
 * hold with {@code mapreduce.drover.sample.choose-by-size}.
 *
 * @param total the estimate
 * @param halfWidth half of the confidence interval's width; 0 if all blocks were read
 * @param confidence probability that the interval contains the true total, in (0,1)
 */
public record SampleEstimate(double total, double halfWidth, double confidence) {
  /**
   * Estimates a total.
   *
   * @param totals the totals of the K blocks, at least 2, or all N
   * @param blocks N
   * @param confidence in (0,1), for example 0.95
   */
  public static SampleEstimate of(double[] totals, int blocks, double confidence) {
    int k = totals.length;
    if (k < 1 || k > blocks || (k == 1 && blocks > 1)) {
      throw new IllegalArgumentException(
          "%d totals of %d blocks; an interval needs 2 or more".formatted(k, blocks));
    }
    if (!(confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException("a confidence must lie in (0,1), was " + confidence);
    }
    if (!Arrays.stream(totals).allMatch(Double::isFinite)) {
      throw new IllegalArgumentException("a total is not finite");
    }
    double mean = StatUtils.mean(totals);
    double unread = 1 - (double) k / blocks;
    double error =
        k == blocks
            ? 0
            : new TDistribution(null, k - 1).inverseCumulativeProbability((1 + confidence) / 2)
                * blocks
                * Math.sqrt(StatUtils.variance(totals, mean) * unread / k);
    return new SampleEstimate(blocks * mean, error, confidence);
  }

  /** Returns the lower end of the interval. */
  public double low() {
    return total - halfWidth;
  }

  /** Returns the upper end of the interval. */
  public double high() {
    return total + halfWidth;
  }

  /** Returns one line for people. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.0f, %.0f %% sure within %.0f to %.0f",
        total,
        100 * confidence,
        low(),
        high());
  }
}
