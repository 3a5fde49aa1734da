// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.OptionalDouble;

/** The durations of the tasks of a stage, as far as they are known. */
public interface TaskDurations {
  /** Where durations are from. */
  enum Basis {
    /** An earlier run of the same job. */
    HISTORY,
    /** A distribution, fitted to the tasks of this stage. */
    FITTED
  }

  /**
   * The p-quantile of the durations above {@code elapsed}.
   *
   * @param p in (0,1)
   * @param elapsed how long a task has been running without an end, seconds, at least 0
   * @return seconds from the task's start; empty if nothing is known of tasks that take so long
   */
  OptionalDouble quantile(double p, double elapsed);

  /** Where these are from. */
  Basis basis();
}
