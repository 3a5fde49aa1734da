// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.OptionalDouble;

/** A running mean that is empty until it has seen a value, and that ignores NaN. */
public final class RunningMean {
  private long count;
  private double mean;

  /** Adds one observation; an infinite value or NaN is ignored. */
  public void add(double value) {
    if (!Double.isFinite(value)) {
      return;
    }
    count++;
    mean += (value - mean) / count;
  }

  /** Returns the number of observations. */
  public long count() {
    return count;
  }

  /** Returns the mean; empty before the first observation. */
  public OptionalDouble get() {
    return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(mean);
  }

  /** Returns the mean, or {@code other} before the first observation. */
  public double orElse(double other) {
    return count == 0 ? other : mean;
  }
}
