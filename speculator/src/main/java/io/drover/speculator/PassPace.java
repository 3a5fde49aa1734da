// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

/**
 * Decides when the next pass over a job begins. Passes that are slow follow each other at longer
 * intervals, so that they take at most a twentieth of the time. One slow pass alone changes
 * nothing: the first one loads classes, and any one may be stopped for seconds by the garbage
 * collector or a busy machine, after which nothing would be decided for minutes.
 */
final class PassPace {
  private static final int SHARE = 20;

  private long lastMillis;
  private long beforeMillis;

  /** Notes how long a pass took. */
  void took(long millis) {
    beforeMillis = lastMillis;
    lastMillis = millis;
  }

  /**
   * Returns the milliseconds until the next pass.
   *
   * @param shortest the least
   */
  long periodMillis(long shortest) {
    return Math.max(shortest, SHARE * Math.min(lastMillis, beforeMillis));
  }
}
