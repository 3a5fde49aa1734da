// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import io.drover.core.model.SortedArrays;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * The durations of an earlier run of the same job. Source: KMN section 4.3, which finds that run by
 * the job's size. Here the caller has to find it.
 *
 * <p>Quantiles are interpolated between the durations of that run. It knows nothing about tasks
 * that take longer than any of them.
 */
public final class PastDurations implements TaskDurations {
  private final double[] ascending;

  /**
   * Creates the durations of a run.
   *
   * @param seconds the duration of each task, in any order, finite and at least 0; at least one
   */
  public PastDurations(double[] seconds) {
    if (seconds.length == 0) {
      throw new IllegalArgumentException("a run must have at least one task");
    }
    for (double duration : seconds) {
      if (!(duration >= 0 && duration < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("a task cannot take " + duration + " seconds");
      }
    }
    this.ascending = seconds.clone();
    Arrays.sort(ascending);
  }

  @Override
  public OptionalDouble quantile(double p, double elapsed) {
    int first = SortedArrays.countBelow(ascending, Math.nextUp(elapsed));
    int longer = ascending.length - first;
    if (longer == 0) {
      return OptionalDouble.empty();
    }
    double position = Math.max(0, Math.min(longer - 1, p * longer - 0.5));
    int below = first + (int) position;
    int above = Math.min(below + 1, ascending.length - 1);
    double part = position - (int) position;
    return OptionalDouble.of(ascending[below] + part * (ascending[above] - ascending[below]));
  }

  @Override
  public Basis basis() {
    return Basis.HISTORY;
  }
}
