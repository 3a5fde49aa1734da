// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Waits for a condition by checking it again and again until a deadline. */
public final class Await {
  private Await() {}

  /** A condition whose check may fail. */
  @FunctionalInterface
  public interface Question {
    /** Returns whether the condition is true. */
    boolean isTrue() throws IOException, InterruptedException;
  }

  /**
   * Checks until the condition is true or the time is over.
   *
   * @param limit how long at most
   * @param pause between two checks
   * @param question checked at least once, the last time when the time is over
   * @return whether the condition was true
   */
  public static boolean until(Duration limit, Duration pause, Question question)
      throws IOException, InterruptedException {
    return until(limit, pause, question, System::nanoTime);
  }

  static boolean until(Duration limit, Duration pause, Question question, LongSupplier nanoTime)
      throws IOException, InterruptedException {
    long deadline = nanoTime.getAsLong() + limit.toNanos();
    while (true) {
      boolean isLast = nanoTime.getAsLong() - deadline >= 0;
      if (question.isTrue()) {
        return true;
      }
      if (isLast) {
        return false;
      }
      long left = deadline - nanoTime.getAsLong();
      TimeUnit.NANOSECONDS.sleep(Math.min(left, pause.toNanos())); // at once if none is left
    }
  }
}
