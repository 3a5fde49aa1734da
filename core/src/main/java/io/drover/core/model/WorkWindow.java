// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/**
 * The recent work of one attempt: samples (time, work done) in a ring, and the moving average of
 * the rate over them.
 *
 * <p>Samples are kept at least a given spacing apart, by letting the newest one slide forward until
 * it is that far from the one before it. So however often reports come, the ring covers at least a
 * given number of spacings; adding is O(1), and nothing is allocated after construction.
 */
final class WorkWindow {
  private final double[] times;
  private final double[] works;
  private int newest = -1;
  private int size;

  /** A window whose full ring covers at least {@code spacings} times the spacing of its samples. */
  WorkWindow(int spacings) {
    times = new double[spacings + 1];
    works = new double[spacings + 1];
  }

  void clear() {
    size = 0;
    newest = -1;
  }

  boolean isEmpty() {
    return size == 0;
  }

  double lastWork() {
    return works[newest];
  }

  /** Adds a sample, not older than the newest. */
  void add(double time, double work, double spacing) {
    boolean slide = size >= 2 && times[newest] - times[at(1)] < spacing;
    if (!slide) {
      newest = newest + 1 == times.length ? 0 : newest + 1;
      size = Math.min(size + 1, times.length);
    }
    times[newest] = time;
    works[newest] = work;
  }

  /**
   * The mean rate over the stretch of {@code width} seconds that ends at {@code end}, or over what
   * there is of it since the first sample. Past the newest sample no work is assumed to have been
   * done.
   *
   * @return work per second, 0 if nothing was done in that stretch; NaN if it is empty
   */
  double rate(double end, double width) {
    if (size == 0) {
      return Double.NaN;
    }
    double until = Math.max(end, times[newest]);
    double oldest = times[at(size - 1)];
    double from = Math.max(oldest, until - width);
    if (from >= until) {
      return Double.NaN;
    }
    return (works[newest] - workAt(from)) / (until - from);
  }

  private double workAt(double time) {
    if (time >= times[newest]) {
      return works[newest];
    }
    for (int back = 1; back < size; back++) {
      int older = at(back);
      if (times[older] <= time) {
        int younger = at(back - 1);
        double span = times[younger] - times[older];
        double share = span == 0 ? 1 : (time - times[older]) / span;
        return works[older] + share * (works[younger] - works[older]);
      }
    }
    return works[at(size - 1)];
  }

  private int at(int back) {
    int i = newest - back;
    return i < 0 ? i + times.length : i;
  }
}
