// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Holds work to a rate: {@code done <= rate * time since the start}. The schedule is absolute, so
 * that short sleeps that last too long do not add up, and progress is linear in time.
 */
public final class WorkPacer {
  /** Shorter waits are left to gather: a sleep is never exact. */
  private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(10);

  private final double unitsPerNano;
  private final LongSupplier clock;
  private final Sleeper sleeper;
  private final long start;

  /** How to let time pass. */
  @FunctionalInterface
  interface Sleeper {
    /** Returns after about so many nanoseconds. */
    void sleep(long nanos) throws InterruptedException;
  }

  WorkPacer(double unitsPerSecond, LongSupplier clock, Sleeper sleeper) {
    this.unitsPerNano = unitsPerSecond / TimeUnit.SECONDS.toNanos(1);
    this.clock = clock;
    this.sleeper = sleeper;
    this.start = clock.getAsLong();
  }

  /**
   * A pace that begins now.
   *
   * @param unitsPerSecond the rate; 0 or less: no limit
   */
  public static WorkPacer of(double unitsPerSecond) {
    return new WorkPacer(unitsPerSecond, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
  }

  /** Returns when so many units in all may have been done. */
  public void upTo(long units) throws InterruptedException {
    if (unitsPerNano <= 0) {
      return;
    }
    long early = (long) (units / unitsPerNano) - (clock.getAsLong() - start);
    if (early >= SHORTEST) {
      sleeper.sleep(early);
    }
  }
}
