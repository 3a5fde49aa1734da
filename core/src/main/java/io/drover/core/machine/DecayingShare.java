// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

/** A share of which older counts weigh less and less. */
final class DecayingShare {
  private double all;
  private double some;

  void add(double moreOfAll, double moreOfSome) {
    all += moreOfAll;
    some += moreOfSome;
  }

  /** Lets what is known count {@code factor} times what it did, in [0,1]. */
  void fade(double factor) {
    all *= factor;
    some *= factor;
  }

  double all() {
    return all;
  }

  double some() {
    return some;
  }

  /**
   * The share, drawn towards a prior: the mean of a Gamma-Poisson (for small shares,
   * Beta-Bernoulli) posterior, {@code prior (strength + some) / (strength + prior all)}.
   *
   * @param prior in [0,1]
   * @param strength how much the prior weighs, in expected members of {@code some}, above 0
   */
  double towards(double prior, double strength) {
    return Math.min(1, prior * (strength + some) / (strength + prior * all));
  }
}
