// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.OptionalDouble;

/** The durations of the tasks of a stage, as far as they are known. */
public interface TaskDurations {
  /** The source of durations. */
  enum Basis {
    /** An earlier run of the same job. */
    HISTORY,
    /** A distribution, fitted to the tasks of this stage. */
    FITTED
  }

  /**
   * Returns the p-quantile of the durations above {@code elapsed}.
   *
   * @param p in (0,1)
   * @param elapsed how long a task has been running without finishing, seconds, at least 0
   * @return seconds from the task's start; empty if nothing is known about tasks that take so long
   */
  OptionalDouble quantile(double p, double elapsed);

  /** Returns the source of these durations. */
  Basis basis();

  /**
   * Returns these durations, and others for tasks that take longer than these know. The source is
   * the one of these.
   */
  default TaskDurations or(TaskDurations others) {
    TaskDurations these = this;
    return new TaskDurations() {
      @Override
      public OptionalDouble quantile(double p, double elapsed) {
        OptionalDouble known = these.quantile(p, elapsed);
        return known.isPresent() ? known : others.quantile(p, elapsed);
      }

      @Override
      public Basis basis() {
        return these.basis();
      }
    };
  }
}
