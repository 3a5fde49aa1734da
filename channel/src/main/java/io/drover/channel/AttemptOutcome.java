// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * The outcome of an attempt that ran in a container of the job. {@code container}, {@code
 * relativeRate} and {@code duration} are reserved: they are sent and checked, and no scheduler
 * reads them yet. Older schedulers refuse a report without a container.
 *
 * @param container the number of the container within the sender's application attempt ({@code
 *     ContainerId.getContainerId()}), at least 1; it cannot name another job's container
 * @param machine the name of its host
 * @param outlier whether its progress rate was below half of the median of its phase (Dolly section
 *     3.1, footnote 4), or the AppMaster gave it up as an outlier
 * @param relativeRate its progress rate divided by the median of its phase, above 0 up to {@value
 *     #MAX_RATE}; empty if it made no progress
 * @param duration the time from its launch to its end, at most 100 days
 * @param keptOutput whether it is a map that succeeded, so that its output stays on the machine and
 *     may be lost there. Reduces and killed attempts leave no output.
 */
public record AttemptOutcome(
    long container,
    String machine,
    boolean outlier,
    OptionalDouble relativeRate,
    Duration duration,
    boolean keptOutput) {
  /** The largest relative rate. */
  public static final double MAX_RATE = 1e6;

  private static final Duration LONGEST = Duration.ofDays(100);

  /** Checks the ranges. */
  public AttemptOutcome {
    Validation.within("container", container, 1, Long.MAX_VALUE);
    Validation.name("machine", machine);
    Validation.positive("relativeRate", relativeRate, MAX_RATE);
    Validation.within("duration", duration, LONGEST);
  }

  /** Creates the outcome of an attempt that has left no output. */
  public AttemptOutcome(
      long container,
      String machine,
      boolean outlier,
      OptionalDouble relativeRate,
      Duration duration) {
    this(container, machine, outlier, relativeRate, duration, false);
  }
}
