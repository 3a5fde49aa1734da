// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

/**
 * Limits how often an application may call: once an interval, and as many times at once as it has
 * not for some time, up to a burst.
 *
 * <p>Source: the generic cell rate algorithm (ITU-T I.371, virtual scheduling): a call is expected
 * an interval after the one before, and conforms if it comes no more than (burst - 1) intervals
 * early. It keeps one number, and what does not conform changes nothing: who calls without end gets
 * no less and no more than the rate.
 */
final class RateLimiter {
  private final long interval;
  private final long early;
  private long expected;

  /**
   * A pace at which all calls of a burst are free.
   *
   * @param interval nanoseconds
   * @param now nanoseconds, of a clock that may start anywhere
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
   * Asks for a call.
   *
   * @return 0 if it may be made; else the nanoseconds after which it might be
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
