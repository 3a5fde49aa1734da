// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

/**
 * What a job asks for, over its tasks. Each number may be {@code NaN}: not known.
 *
 * @param tasks the number of tasks, above 0
 * @param cpu the processors that a task asks for
 * @param ram the memory that a task asks for
 * @param disk the local disk space that a task asks for
 * @param priority the priority of a task
 */
public record JobRequests(double tasks, Spread cpu, Spread ram, Spread disk, Spread priority) {
  /** Nothing is known. */
  public static final JobRequests UNKNOWN =
      new JobRequests(Double.NaN, Spread.UNKNOWN, Spread.UNKNOWN, Spread.UNKNOWN, Spread.UNKNOWN);

  /**
   * A mean and a standard deviation.
   *
   * @param mean at least 0
   * @param deviation at least 0
   */
  public record Spread(double mean, double deviation) {
    /** Not known. */
    public static final Spread UNKNOWN = new Spread(Double.NaN, Double.NaN);

    /** Checks the ranges. */
    public Spread {
      if (mean < 0 || deviation < 0 || Double.isInfinite(mean) || Double.isInfinite(deviation)) {
        throw new IllegalArgumentException(
            "a mean of %s and a deviation of %s are not possible".formatted(mean, deviation));
      }
    }

    /**
     * Creates the spread of tasks of two kinds.
     *
     * @param one what each task of a kind asks for
     * @param ones the number of these tasks
     * @param other what each other task asks for
     * @param others the number of the other tasks
     */
    public static Spread of(double one, int ones, double other, int others) {
      double share = (double) ones / (ones + others);
      double mean = share * one + (1 - share) * other;
      return new Spread(mean, Math.abs(one - other) * Math.sqrt(share * (1 - share)));
    }

    /** Creates the spread of tasks that all ask for the same. */
    public static Spread same(double value) {
      return new Spread(value, 0);
    }
  }

  /** Checks the number of tasks. */
  public JobRequests {
    if (tasks <= 0 || Double.isInfinite(tasks)) {
      throw new IllegalArgumentException("a job cannot have " + tasks + " tasks");
    }
  }

  /** Returns the number of tasks, or 1 if it is not known. */
  double tasksOrOne() {
    return Double.isNaN(tasks) ? 1 : tasks;
  }
}
