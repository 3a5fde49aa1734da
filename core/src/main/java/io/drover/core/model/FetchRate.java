// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/**
 * Estimates how long a reduce's whole shuffle would take if it never had to wait for a map: the
 * question that a copy made after the last map raises, and that the time its elders spent in the
 * shuffle, most of it waiting, does not answer.
 *
 * <p>While maps run no stretch of a shuffle is faster than an unhindered one. So the pace of the
 * fastest stretch, of those that are long enough to mean anything, is the closest that observation
 * comes to it, and errs, if so, towards a slower copy. A shuffle that starts late finds many
 * outputs waiting and shows it at once.
 */
final class FetchRate {
  private final double shortest;
  private double from;
  private double workThen;
  private double fastest = Double.POSITIVE_INFINITY;

  /** Counts stretches of at least {@code shortest} of the whole work. */
  FetchRate(double shortest) {
    this.shortest = shortest;
  }

  /** A stretch begins. */
  void begin(double at, double work) {
    from = at;
    workThen = work;
  }

  /** So much is done now. */
  void progress(double now, double work) {
    double done = work - workThen;
    if (done >= shortest) {
      fastest = Math.min(fastest, Math.max(0, now - from) / done);
      begin(now, work);
    }
  }

  /** Seconds for the whole; infinite if no stretch was long enough. */
  double fullSeconds() {
    return fastest;
  }
}
