// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

/**
 * Limits how often an application may call: once per interval on average. After a pause it may make
 * several calls at once, up to a burst.
 *
 * <p>Source: the generic cell rate algorithm (ITU-T I.371, virtual scheduling). A call is expected
 * one interval after the call before, and conforms if it comes at most (burst - 1) intervals early.
 * The algorithm keeps one number. A call that does not conform does not change it, so an
 * application that calls without end still gets exactly the rate.
 */
final class RateLimiter {
  private final long interval;
  private final long early;
  private long expected;

  /**
   * Creates a limiter that allows a whole burst now.
   *
   * @param interval nanoseconds between calls
   * @param now nanoseconds on a clock that may start anywhere
   */
  RateLimiter(long interval, int burst, long now) {
    this.interval = interval;
    this.early = interval * (burst - 1);
    this.expected = now;
  }

  boolean hasInterval(long nanoseconds) {
    return interval == nanoseconds;
  }

  /**
   * Asks for permission to call.
   *
   * @return 0 if the call is permitted; else the nanoseconds to wait before asking again
   */
  long waitFor(long now) {
    long wait = expected - early - now;
    if (wait > 0) {
      return wait;
    }
    expected = Math.max(expected - now, 0) + now + interval;
    return 0;
  }
}
