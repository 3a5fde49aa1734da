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

  /** Rates in ascending order, and their sum. */
  static final class Rates {
    static final Rates NONE = new Rates(new double[0]);

    private final double[] sorted;
    private final double sum;

    Rates(double[] sorted) {
      this.sorted = sorted;
      this.sum = Arrays.stream(sorted).sum();
    }

    int count() {
      return sorted.length;
    }

    /** These and the others together. */
    Rates with(Rates others) {
      double[] both = Arrays.copyOf(sorted, sorted.length + others.sorted.length);
      System.arraycopy(others.sorted, 0, both, sorted.length, others.sorted.length);
      Arrays.sort(both);
      return new Rates(both);
    }

    /** How many rates are less than the given one: a binary search that equals do not slow. */
    int countBelow(double rate) {
      int low = 0;
      int high = sorted.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (sorted[middle] < rate) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
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
