// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

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

  /** Returns the mean, or {@code other} before the first observation. */
  public double orElse(double other) {
    return count == 0 ? other : mean;
  }
}
