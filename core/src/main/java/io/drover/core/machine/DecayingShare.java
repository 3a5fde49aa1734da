// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

/** A share in which older counts weigh less and less. */
final class DecayingShare {
  private double all;
  private double some;

  /**
   * Adds to the counts. {@code some} never exceeds {@code all}, even if what it is a part of was
   * added earlier and has faded since.
   */
  void add(double moreOfAll, double moreOfSome) {
    all += moreOfAll;
    some = Math.min(all, some + moreOfSome);
  }

  /** Takes away counts that were added. Rounding leaves no count below 0. */
  void subtract(DecayingShare part) {
    all = Math.max(0, all - part.all);
    some = Math.min(all, Math.max(0, some - part.some));
  }

  /** Multiplies all counts by {@code factor}, in [0,1]. */
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
   * Returns the share, drawn towards a prior: the mean of a Gamma-Poisson posterior (for small
   * shares, Beta-Bernoulli), {@code prior (strength + some) / (strength + prior all)}. It is the
   * prior if nothing was counted.
   *
   * @param prior in [0,1]
   * @param strength the weight of the prior, in expected members of {@code some}, above 0
   */
  double towards(double prior, double strength) {
    return Math.min(1, prior * ((strength + some) / (strength + prior * all)));
  }
}
