// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * The clock by which learnt figures age, in seconds since about 1970. It goes on by a clock that
 * never jumps; the machine's own is asked when a snapshot is written or read, and tells how much
 * time has passed between the two: never less than none, and never more than an hour. So a clock
 * that is set wrong, forwards or back, neither fades everything nor keeps it for ever. After a
 * longer pause too much is known for a few hours, which then fades.
 *
 * <p>Any thread may ask.
 */
final class SteadyClock {
  /** Of the time between two ResourceManagers no more counts. */
  static final double LONGEST_GAP = 3600;

  private final LongSupplier nanos;
  private final DoubleSupplier wall;
  private volatile double ahead;
  private final long begin;
  private final double wallAtBegin;

  /**
   * A clock that shows the machine's time now.
   *
   * @param nanos never goes back
   * @param wall seconds since 1970, by the machine's clock
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

  /** By the machine's clock. */
  double wall() {
    return wall.getAsDouble();
  }

  /**
   * Goes on from a snapshot.
   *
   * @param then when it was written, by the clock of this kind that its writer had
   * @param wallThen when it was written, by the writer's machine's
   */
  synchronized void goOnFrom(double then, double wallThen) {
    double gap = Math.max(0, Math.min(LONGEST_GAP, wall.getAsDouble() - wallThen));
    ahead = ahead + then + gap - now();
  }
}
