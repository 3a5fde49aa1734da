// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.OptionalDouble;

/** A running mean that is empty until it has seen a value, and that ignores NaN. */
public final class RunningMean {
  private long count;
  private double mean;

  /** Takes in one observation; one that is infinite or not a number is left out. */
  public void add(double value) {
    if (!Double.isFinite(value)) {
      return;
    }
    count++;
    mean += (value - mean) / count;
  }

  /** How many observations it rests on. */
  public long count() {
    return count;
  }

  /** The mean, or nothing before the first observation. */
  public OptionalDouble get() {
    return count == 0 ? OptionalDouble.empty() : OptionalDouble.of(mean);
  }

  /** The mean, or {@code other} before the first observation. */
  public double orElse(double other) {
    return count == 0 ? other : mean;
  }
}
