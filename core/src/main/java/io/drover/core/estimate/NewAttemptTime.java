// SPDX-License-Identifier: Apache-2.0
package io.drover.core.estimate;

import io.drover.core.model.SortedArrays;
import java.util.Arrays;

/**
 * The distribution of t_new for one task: {@code rate * scale + offset}. The rate is one of the
 * phase's observed process rates, except those that are left out, each with the same probability.
 *
 * <p>The tasks of a pass share the rates, so an instance is cheap to create.
 */
public final class NewAttemptTime {
  private final Rates all;
  private final Rates leftOut;
  private final double scale;
  private final double offset;
  private final double chance;
  private final double factor;

  /** Rates with their sum and minimum. They are sorted when their order is first needed. */
  static final class Rates {
    static final Rates NONE = new Rates(new double[0]);

    private final double[] rates;
    private final double sum;
    private final double least;
    private double[] ascending;

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

    double mean() {
      return sum / rates.length;
    }

    Rates with(Rates others) {
      double[] both = Arrays.copyOf(rates, rates.length + others.rates.length);
      System.arraycopy(others.rates, 0, both, rates.length, others.rates.length);
      return new Rates(both);
    }

    int countBelow(double rate) {
      if (rate <= least) { // most tasks, which are far from needing a copy
        return 0;
      }
      if (ascending == null) {
        ascending = rates.clone();
        Arrays.sort(ascending);
      }
      return SortedArrays.countBelow(ascending, rate);
    }
  }

  /** Creates a distribution. {@code leftOut} must be part of {@code all}, and not all of it. */
  NewAttemptTime(Rates all, Rates leftOut, double scale, double offset) {
    this(all, leftOut, scale, offset, 0, 1);
  }

  private NewAttemptTime(
      Rates all, Rates leftOut, double scale, double offset, double chance, double factor) {
    this.all = all;
    this.leftOut = leftOut;
    this.scale = scale;
    this.offset = offset;
    this.chance = chance;
    this.factor = factor;
  }

  /**
   * Returns the distribution if the main work takes a number of times as long, and again a number
   * of times that with some chance.
   */
  public NewAttemptTime slowed(double times, double itsChance, double itsFactor) {
    return new NewAttemptTime(all, leftOut, times * scale, offset, itsChance, itsFactor);
  }

  /** Returns the number of attempts that the distribution rests on. */
  public int observations() {
    return all.count() - leftOut.count();
  }

  /** Returns the mean of the rates, seconds per unit of input. */
  public double meanRate() {
    return (all.sum - leftOut.sum) / observations();
  }

  /** Returns how long the work usually takes, seconds: E[t_new] without the start and the rest. */
  public double usualWork() {
    return meanRate() * scale;
  }

  /** Returns E[t_new] in seconds. */
  public double mean() {
    return meanBeside(Double.POSITIVE_INFINITY);
  }

  /**
   * Returns E[t_new] in seconds, where a task that has more to do ends after {@code remaining} at
   * the latest: that of a copy, which can do no harm to the attempt that it stands by.
   */
  public double meanBeside(double remaining) {
    double work = usualWork();
    double usual = work + offset;
    return chance == 0
        ? usual
        : (1 - chance) * usual + chance * Math.min(remaining, factor * work + offset);
  }

  /** Returns P(t_new &lt; seconds) by the empirical distribution. */
  public double probabilityBelow(double seconds) {
    if (seconds == Double.POSITIVE_INFINITY) {
      return 1;
    }
    double rate = (seconds - offset) / scale;
    double usual = shareBelow(rate);
    return chance == 0 ? usual : (1 - chance) * usual + chance * shareBelow(rate / factor);
  }

  private double shareBelow(double rate) {
    return (double) (all.countBelow(rate) - leftOut.countBelow(rate)) / observations();
  }
}
