// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What the service remembers of an application attempt: a few numbers. The fields belong to the
 * thread that has entered; the flag hands them on.
 */
final class Session {
  private final AtomicBoolean busy = new AtomicBoolean();
  private RateLimiter limiter;
  private long last;
  private boolean knowsJob;
  private boolean complained;

  Session(RateLimiter limiter) {
    this.limiter = limiter;
  }

  /**
   * Begins a call, unless another one is under way: waiting for it, a caller with many connections
   * would tie up the threads that take everybody's reports.
   */
  boolean enter() {
    return busy.compareAndSet(false, true);
  }

  void leave() {
    busy.set(false);
  }

  /** The pace of calls; a new one begins where its interval has changed. */
  RateLimiter limiter(long interval, int burst, long now) {
    if (!limiter.hasInterval(interval)) {
      limiter = new RateLimiter(interval, burst, now);
    }
    return limiter;
  }

  /**
   * Whether a report is new; from then on it is not, whatever becomes of it, so that none is ever
   * counted twice.
   */
  boolean isNew(Report report) {
    boolean isNew = report.sequence() > last;
    if (isNew) {
      last = report.sequence();
    }
    return isNew;
  }

  /** A report has been passed on. */
  void onReport(Report report) {
    knowsJob |= report.job().isPresent();
  }

  boolean knowsJob() {
    return knowsJob;
  }

  /** Whether this is the first complaint about the attempt: later ones are not worth a line. */
  boolean complains() {
    boolean isFirst = !complained;
    complained = true;
    return isFirst;
  }
}
