// SPDX-License-Identifier: Apache-2.0
package io.drover.core.estimate;

import java.util.Arrays;

/**
 * The distribution of t_new for one task: {@code rate * scale + offset}, rate being one of the
 * phase's observed process rates but those that are left out, each equally likely.
 *
 * <p>The rates are shared between the tasks of a pass, so one of these costs nothing to make.
 */
public final class NewAttemptTime {
  private final Rates all;
  private final Rates leftOut;
  private final double scale;
  private final double offset;

  /** Rates, their sum and their least; their ranks only once somebody asks for one. */
  static final class Rates {
    static final Rates NONE = new Rates(new double[0]);

    private final double[] rates;
    private final double sum;
    private final double least;
    private Ranks ranks;

    Rates(double[] rates) {
      this.rates = rates;
      double total = 0;
      double smallest = Double.POSITIVE_INFINITY;
      for (double rate : rates) {
        total += rate;
        smallest = Math.min(smallest, rate);
      }
      sum = total;
      least = smallest;
    }

    int count() {
      return rates.length;
    }

    /** These and the others together. */
    Rates with(Rates others) {
      double[] both = Arrays.copyOf(rates, rates.length + others.rates.length);
      System.arraycopy(others.rates, 0, both, rates.length, others.rates.length);
      return new Rates(both);
    }

    /** How many rates are less than the given one. */
    int countBelow(double rate) {
      if (rate <= least) { // most tasks: far from worth a copy
        return 0;
      }
      if (ranks == null) {
        ranks = new Ranks(rates);
      }
      return ranks.countBelow(rate);
    }
  }

  /** {@code leftOut} are among {@code all}, and fewer. */
  NewAttemptTime(Rates all, Rates leftOut, double scale, double offset) {
    this.all = all;
    this.leftOut = leftOut;
    this.scale = scale;
    this.offset = offset;
  }

  /** How many attempts it rests on. */
  public int observations() {
    return all.count() - leftOut.count();
  }

  /** E[t_new], seconds. */
  public double mean() {
    return (all.sum - leftOut.sum) / observations() * scale + offset;
  }

  /** P(t_new &lt; seconds), by the empirical distribution. */
  public double probabilityBelow(double seconds) {
    if (seconds == Double.POSITIVE_INFINITY) {
      return 1;
    }
    double rate = (seconds - offset) / scale;
    return (double) (all.countBelow(rate) - leftOut.countBelow(rate)) / observations();
  }
}
