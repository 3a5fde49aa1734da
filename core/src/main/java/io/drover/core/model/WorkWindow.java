// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/**
 * Keeps the recent work of one attempt as samples (time, work done) in a ring, and computes the
 * moving average of the rate over them.
 *
 * <p>Samples are at least a given spacing apart: the newest one slides forward until it is that far
 * from the one before it. So the ring covers at least a given number of spacings, however often
 * reports come. Adding is O(1), and nothing is allocated after construction.
 */
final class WorkWindow {
  private final double[] times;
  private final double[] works;
  private int newest = -1;
  private int size;

  /** Creates a window whose full ring covers at least {@code spacings} times the sample spacing. */
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

  /** Adds a sample that is not older than the newest one. */
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
   * Returns the mean rate over the {@code width} seconds that end at {@code end}, or over the part
   * of them since the first sample. After the newest sample no work is assumed to have been done.
   *
   * @return work per second, 0 if nothing was done in that stretch; NaN if the stretch is empty
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
