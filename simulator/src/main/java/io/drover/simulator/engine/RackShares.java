// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

/** Outputs of one phase by the rack that they lie in: how many, and their share of all output. */
final class RackShares {
  private final double[] shares;
  private final int[] counts;
  private int count;
  private double share;

  /** None yet. */
  RackShares(int racks) {
    shares = new double[racks];
    counts = new int[racks];
  }

  void add(int rack, double share) {
    shares[rack] += share;
    counts[rack]++;
    count++;
    this.share += share;
  }

  /** Makes these the same as others. */
  void set(RackShares others) {
    System.arraycopy(others.shares, 0, shares, 0, shares.length);
    System.arraycopy(others.counts, 0, counts, 0, counts.length);
    count = others.count;
    share = others.share;
  }

  /** The shares by rack of what is here and not among others, all of which are here. */
  double[] beyond(RackShares others) {
    double[] beyond = new double[shares.length];
    for (int rack = 0; rack < beyond.length; rack++) {
      // Where there is nothing more, rounding must not leave something.
      boolean more = counts[rack] > others.counts[rack];
      beyond[rack] = more ? Math.max(0, shares[rack] - others.shares[rack]) : 0;
    }
    return beyond;
  }

  int count() {
    return count;
  }

  /** The share of all of them together. */
  double share() {
    return share;
  }
}
