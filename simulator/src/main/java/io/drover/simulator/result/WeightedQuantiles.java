// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.result;

import java.util.Comparator;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * A distribution of weighted numbers.
 *
 * <pre>
 *   F(x) = sum of the weights of all values &lt;= x / sum of all weights
 *   at(q) = the least value x with F(x) &gt;= q
 * </pre>
 *
 * <p>A quantile is therefore always one of the values, and the median of two values with equal
 * weights is the lower one. Values of weight 0 are ignored, so they may be NaN.
 */
public final class WeightedQuantiles {
  /** The tolerance, as a share of the total weight, for rounding errors in sums. */
  private static final double ROUNDING = 1e-12;

  private final double[] values;

  /** The running sums: the weight of each value and of all values before it. */
  private final double[] sums;

  private final double total;
  private final double weighed;

  private WeightedQuantiles(double[] values, double[] weights) {
    this.values = values;
    this.sums = new double[values.length];
    double sum = 0;
    double product = 0;
    for (int i = 0; i < values.length; i++) {
      sum += weights[i];
      product += weights[i] * values[i];
      sums[i] = sum;
    }
    this.total = sum;
    this.weighed = product;
  }

  /**
   * Creates the distribution of some values.
   *
   * @param values in any order; finite if their weight is above 0
   * @param weights of each value, at least 0 and finite
   * @throws IllegalArgumentException if the values or weights break these rules
   */
  public static WeightedQuantiles of(double[] values, double[] weights) {
    if (values.length != weights.length) {
      throw new IllegalArgumentException(values.length + " values, " + weights.length + " weights");
    }
    for (int i = 0; i < values.length; i++) {
      boolean sound = weights[i] == 0 || (weights[i] > 0 && Double.isFinite(values[i]));
      if (!sound || Double.isInfinite(weights[i])) {
        throw new IllegalArgumentException("value " + values[i] + " with weight " + weights[i]);
      }
    }
    int[] order =
        IntStream.range(0, values.length)
            .filter(i -> weights[i] > 0)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> values[i]))
            .mapToInt(i -> i)
            .toArray();
    return new WeightedQuantiles(pick(values, order), pick(weights, order));
  }

  private static double[] pick(double[] from, int[] order) {
    return IntStream.of(order).mapToDouble(i -> from[i]).toArray();
  }

  /** Returns whether no value has a weight above 0. */
  public boolean isEmpty() {
    return values.length == 0;
  }

  /**
   * Returns a quantile; empty if there are no values.
   *
   * @param share in [0,1]
   */
  public OptionalDouble at(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("the share of a quantile lies in [0,1], not " + share);
    }
    if (isEmpty()) {
      return OptionalDouble.empty();
    }
    double wanted = (share - ROUNDING) * total;
    int low = 0;
    int high = values.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sums[middle] >= wanted) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return OptionalDouble.of(values[low]);
  }

  /** Returns the weighted mean; empty if there are no values. */
  public OptionalDouble mean() {
    return isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(weighed / total);
  }

  /**
   * Computes the cumulative distribution, F above, at some points.
   *
   * @param points in rising order
   * @return for each point, the share of the weight at or below it; all 0 if there are no values
   */
  public double[] shareUpTo(double[] points) {
    double[] shares = new double[points.length];
    int next = 0;
    for (int i = 0; i < points.length; i++) {
      while (next < values.length && values[next] <= points[i]) {
        next++;
      }
      shares[i] = next == 0 ? 0 : sums[next - 1] / total;
    }
    return shares;
  }
}
