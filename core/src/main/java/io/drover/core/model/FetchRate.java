// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/**
 * Estimates how long a reduce's whole shuffle would take if it never had to wait for a map. This is
 * the time that a copy takes which starts after the last map. The time of earlier attempts in the
 * shuffle is no measure of it, because most of that was waiting.
 *
 * <p>While maps run, the pace of the fastest stretch that is long enough to be meaningful is the
 * closest observable value. It may be too fast: the more stretches, the faster the fastest. So once
 * all maps are done, what is left counts as one stretch, and if that is long enough, it alone.
 */
final class FetchRate {
  private double from;
  private double workThen;
  private double pace = Double.POSITIVE_INFINITY;

  void begin(double at, double work) {
    from = at;
    workThen = work;
  }

  /** Takes in the work done so far; while maps run, ends the stretch if it is long enough. */
  void progress(double now, double work, boolean inputsReady) {
    double done = work - workThen;
    boolean hasBegun = now > from; // the last map may be noticed after the end of the shuffle
    if (hasBegun && done >= EstimatorSettings.MIN_PROGRESS) {
      double seconds = (now - from) / done;
      pace = inputsReady ? seconds : Math.min(pace, seconds);
      if (!inputsReady) {
        begin(now, work);
      }
    }
  }

  /** Returns the seconds for the whole shuffle; infinite if no stretch was long enough. */
  double fullSeconds() {
    return pace;
  }
}
