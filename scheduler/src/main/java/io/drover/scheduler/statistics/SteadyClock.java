// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * The clock by which learnt figures age, in seconds since about 1970. It follows a clock that never
 * jumps. It asks the machine's own clock only when a snapshot is written or read, for the time
 * between the two. This time counts as at least 0 and at most an hour. So a machine's clock that is
 * set wrong, forwards or back, neither fades everything nor keeps it for ever. After a longer pause
 * the figures count for too much, until they have faded after a few hours.
 *
 * <p>Any thread may use it.
 */
final class SteadyClock {
  /** The longest time between two ResourceManagers that counts, in seconds. */
  static final double LONGEST_GAP = 3600;

  private final LongSupplier nanos;
  private final DoubleSupplier wall;
  private volatile double ahead;
  private final long begin;
  private final double wallAtBegin;

  /**
   * Creates a clock that shows the machine's time now.
   *
   * @param nanos a clock that never goes back, in nanoseconds
   * @param wall the machine's clock, in seconds since 1970
   */
  SteadyClock(LongSupplier nanos, DoubleSupplier wall) {
    this.nanos = nanos;
    this.wall = wall;
    this.begin = nanos.getAsLong();
    this.wallAtBegin = wall.getAsDouble();
  }

  double now() {
    return wallAtBegin + ahead + (nanos.getAsLong() - begin) / 1e9;
  }

  /** Returns the time of the machine's clock. */
  double wall() {
    return wall.getAsDouble();
  }

  /**
   * Returns how long ago a snapshot was written, by the machine's clock and however long that is.
   * It is too short if that clock is behind the writer's or was set back since, but never negative:
   * what ends at a time then ends later, by no more than the time that has really passed.
   *
   * @param wallThen when the snapshot was written, by the clock of the writer's machine
   */
  double gapSince(double wallThen) {
    return Math.max(0, wall.getAsDouble() - wallThen);
  }

  /**
   * Continues from a snapshot.
   *
   * @param then when the snapshot was written, by the writer's steady clock
   * @param wallThen when the snapshot was written, by the clock of the writer's machine
   */
  synchronized void goOnFrom(double then, double wallThen) {
    double gap = Math.min(LONGEST_GAP, gapSince(wallThen));
    ahead = ahead + then + gap - now();
  }
}
