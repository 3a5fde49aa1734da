// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waits for something that can only be asked for, with a deadline. */
public final class Await {
  private Await() {}

  /** A question that may fail. */
  @FunctionalInterface
  public interface Question {
    /** Whether what is waited for has come. */
    boolean isTrue() throws IOException, InterruptedException;
  }

  /**
   * Asks until the answer is yes or the time is over.
   *
   * @param limit how long at most
   * @param pause between two questions
   * @param question asked at least once, and once more at the deadline
   * @return whether the answer was yes
   */
  public static boolean until(Duration limit, Duration pause, Question question)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      if (question.isTrue()) {
        return true;
      }
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.sleep(Math.min(left, pause.toNanos()));
    }
  }
}
