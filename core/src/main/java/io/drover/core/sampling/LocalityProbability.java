// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import org.apache.commons.math3.special.Beta;

/**
 * Computes the probability that all K tasks of a job read a block of their own machine:
 *
 * <pre>
 *   q = u^(s r)                                  all slots where a block is are busy
 *   p = 1 - q                                    one given block can be read locally
 *   p^K                                          K blocks that were selected beforehand
 *   1 - BinomCDF(K - 1; N, p) = I_p(K, N-K+1)    any K of N blocks
 *   1 - (1 - p^K)^f                              all K blocks of any of f disjoint samples
 * </pre>
 *
 * <p>where u is the share of the cluster's slots that are busy, s the number of slots of a machine,
 * r the number of machines that hold a block, and I the regularised incomplete beta function, which
 * is computed from q if p is near 1.
 *
 * <p>Source: KMN sections 3.1 and 3.2, with r = 1 (blocks cached in memory). Departure: r, because
 * HDFS keeps replicas. The simplifications of the model remain: slots are busy independently of
 * each other, there are no hot spots, and one free slot serves every block of its machine. So the
 * results are optimistic, mostly if K is near the number of free slots. The paper measured 45 % of
 * jobs at a mean utilisation of one half (section 6, figure 17), "lower than predictions".
 *
 * <p>It describes one instant and does not include waiting for a local slot.
 */
public final class LocalityProbability {
  private final double busy;

  /**
   * Creates the model for blocks that are on one machine each, as in the paper.
   *
   * @param utilisation u, in [0,1]
   * @param slots s, slots of a machine, at least 1
   */
  public LocalityProbability(double utilisation, int slots) {
    this(utilisation, slots, 1);
  }

  /**
   * Creates the model for blocks that are on several machines each.
   *
   * @param utilisation u, in [0,1]
   * @param slots s, slots of a machine, at least 1
   * @param replicas r, machines that hold a block, at least 1
   */
  public LocalityProbability(double utilisation, int slots, int replicas) {
    if (!(utilisation >= 0 && utilisation <= 1)) {
      throw new IllegalArgumentException("a utilisation must lie in [0,1], was " + utilisation);
    }
    if (slots < 1 || replicas < 1) {
      throw new IllegalArgumentException(
          "slots and replicas must be at least 1, were " + slots + " and " + replicas);
    }
    this.busy = Math.pow(utilisation, (double) slots * replicas);
  }

  /** Returns p, the probability for one given block. */
  public double ofOneBlock() {
    return 1 - busy;
  }

  /**
   * Returns p^K, for blocks that were selected before anything was known about slots.
   *
   * @param k at least 1
   */
  public double ofPreselected(int k) {
    checkBlocks(k);
    return Math.exp(k * Math.log1p(-busy));
  }

  /**
   * Returns the probability for any K of N blocks.
   *
   * @param k at least 1
   * @param n at least {@code k}
   */
  public double ofAny(int k, int n) {
    checkBlocks(k);
    if (n < k) {
      throw new IllegalArgumentException("cannot choose " + k + " of " + n + " blocks");
    }
    if (busy == 0 || busy == 1) {
      return 1 - busy;
    }
    double others = n - k + 1.0;
    return busy < 0.5
        ? 1 - Beta.regularizedBeta(busy, others, k)
        : Beta.regularizedBeta(1 - busy, k, others);
  }

  /**
   * Returns the probability for all K blocks of at least one sample.
   *
   * @param k blocks of each sample, at least 1
   * @param samples f, disjoint samples, at least 1
   */
  public double ofSamples(int k, int samples) {
    if (samples < 1) {
      throw new IllegalArgumentException("samples must be at least 1, was " + samples);
    }
    return -Math.expm1(samples * Math.log1p(-ofPreselected(k)));
  }

  private static void checkBlocks(int k) {
    if (k < 1) {
      throw new IllegalArgumentException("K must be at least 1, was " + k);
    }
  }
}
