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
  /** Time and work of each sample side by side: a pass reads them of all attempts. */
  private final double[] samples;

  private int newest = -1;
  private int size;

  /** Creates a window whose full ring covers at least {@code spacings} times the sample spacing. */
  WorkWindow(int spacings) {
    samples = new double[2 * (spacings + 1)];
  }

  void clear() {
    size = 0;
    newest = -1;
  }

  private double time(int sample) {
    return samples[2 * sample];
  }

  private double work(int sample) {
    return samples[2 * sample + 1];
  }

  /** Adds a sample that is not older than the newest one. */
  void add(double time, double work, double spacing) {
    boolean slide = size >= 2 && time(newest) - time(at(1)) < spacing;
    if (!slide) {
      int capacity = samples.length / 2;
      newest = newest + 1 == capacity ? 0 : newest + 1;
      size = Math.min(size + 1, capacity);
    }
    samples[2 * newest] = time;
    samples[2 * newest + 1] = work;
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
    double until = Math.max(end, time(newest));
    double oldest = time(at(size - 1));
    double from = Math.max(oldest, until - width);
    if (from >= until) {
      return Double.NaN;
    }
    return (work(newest) - workAt(from)) / (until - from);
  }

  private double workAt(double time) {
    if (time >= time(newest)) {
      return work(newest);
    }
    for (int back = 1; back < size; back++) {
      int older = at(back);
      if (time(older) <= time) {
        int younger = at(back - 1);
        double span = time(younger) - time(older);
        double share = span == 0 ? 1 : (time - time(older)) / span;
        return work(older) + share * (work(younger) - work(older));
      }
    }
    return work(at(size - 1));
  }

  private int at(int back) {
    int i = newest - back;
    return i < 0 ? i + samples.length / 2 : i;
  }
}
