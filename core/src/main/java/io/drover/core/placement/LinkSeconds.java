// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Holds the bytes that one link has carried in each recent second, for up to about an hour.
 *
 * <p>They are stored as differences: {@code change[i]} is how much more second i carries than the
 * second before. So a transfer takes a few additions, whether it took one second or an hour, and
 * the running sums are the amounts. At most {@value #MOST_SECONDS} s are kept. Beyond that the
 * older half is dropped, because a job of days would fill the memory, and old seconds say little
 * about now.
 */
final class LinkSeconds {
  /** A power of two that exceeds the longest transfer that counts. */
  static final int MOST_SECONDS = 4096;

  private static final int FIRST_SECONDS = 128;

  private double[] change = new double[FIRST_SECONDS + 1];

  /** Differences of the number of transfers in each second. Their sums are exact. */
  private int[] transfers = new int[FIRST_SECONDS + 1];

  /** The second at index 0. */
  private long origin;

  /** The number of seconds from the origin that are in use. */
  private int used;

  /**
   * Adds a transfer, whose bytes are spread evenly over its time.
   *
   * @param start seconds
   * @param end seconds, not before the start, and at most an hour after it
   */
  void add(double start, double end, double amount) {
    long first = (long) Math.floor(start);
    long floor = (long) Math.floor(end);
    long last = floor == end && end > start ? floor - 1 : floor;
    makeRoom(first, last);
    if (last < origin) {
      return;
    }
    transfers[index(first)]++;
    transfers[index(last) + 1]--;
    if (first == last) {
      add(first, last, amount);
    } else {
      double each = amount / (end - start);
      add(first, first, each * (first + 1 - start));
      add(first + 1, last - 1, each);
      add(last, last, each * (end - last));
    }
  }

  private void add(long first, long last, double amount) {
    if (first <= last && last >= origin) {
      change[index(first)] += amount;
      change[index(last) + 1] -= amount;
    }
  }

  /** Returns the index of a second; 0 for a second that was dropped. */
  private int index(long second) {
    return (int) Math.max(0, second - origin);
  }

  /** Makes all seconds that are not too old fit into the arrays. */
  private void makeRoom(long first, long last) {
    if (used == 0) {
      origin = first;
    }
    if (last - origin >= MOST_SECONDS) {
      forget(last - MOST_SECONDS / 2);
    }
    used = (int) Math.max(used, last - origin + 1);
    if (used >= change.length) {
      change = Arrays.copyOf(change, length(used));
      transfers = Arrays.copyOf(transfers, length(used));
    }
    precede(Math.max(first, origin + used - MOST_SECONDS));
  }

  /** Returns a length of the arrays for that many seconds, such that they seldom grow. */
  private static int length(int seconds) {
    return Math.min(MOST_SECONDS, Integer.highestOneBit(seconds) * 2) + 1;
  }

  /** Moves the origin to a later second; transfers that were running there continue. */
  private void forget(long newOrigin) {
    int gone = (int) Math.min(newOrigin - origin, used + 1L);
    double running = 0;
    int count = 0;
    for (int i = 0; i < gone; i++) {
      running += change[i];
      count += transfers[i];
    }
    int kept = used + 1 - gone;
    System.arraycopy(change, gone, change, 0, kept);
    System.arraycopy(transfers, gone, transfers, 0, kept);
    Arrays.fill(change, kept, used + 1, 0);
    Arrays.fill(transfers, kept, used + 1, 0);
    if (kept > 0) {
      change[0] += running;
      transfers[0] += count;
    }
    origin = newOrigin;
    used = Math.max(0, kept - 1);
  }

  /** Moves the origin to an earlier second, and further if that fits, as more may follow. */
  private void precede(long second) {
    if (second >= origin) {
      return;
    }
    long spare = Math.min(FIRST_SECONDS, MOST_SECONDS - (origin + used - second));
    int shift = (int) (origin - second + spare);
    int length = Math.max(change.length, length(used + shift));
    double[] newChange = new double[length];
    int[] newTransfers = new int[length];
    System.arraycopy(change, 0, newChange, shift, used + 1);
    System.arraycopy(transfers, 0, newTransfers, shift, used + 1);
    change = newChange;
    transfers = newTransfers;
    origin -= shift;
    used += shift;
  }

  /** Writes the bytes of each second in which the link carried any into {@code into}. */
  void amounts(Amounts into) {
    into.clear(used);
    double running = 0;
    int count = 0;
    for (int i = 0; i < used; i++) {
      running += change[i];
      count += transfers[i];
      if (count > 0) {
        into.put(Math.max(0, running)); // a rounding error may make a 0 negative
      } else {
        running = 0; // and a rounding error may remain here
      }
    }
  }

  /** Amounts in no particular order. Reuse an instance to avoid garbage. */
  static final class Amounts {
    private double[] values = new double[FIRST_SECONDS];
    private int count;
    private double sum;

    private void clear(int most) {
      if (values.length < most) {
        values = new double[Integer.highestOneBit(most) * 2];
      }
      count = 0;
      sum = 0;
    }

    private void put(double amount) {
      values[count++] = amount;
      sum += amount;
    }

    int count() {
      return count;
    }

    double sum() {
      return sum;
    }

    double sumOfAtLeast(double least) {
      double of = 0;
      for (int i = 0; i < count; i++) {
        of += values[i] >= least ? values[i] : 0;
      }
      return of;
    }

    /**
     * Returns the largest amount after leaving out the largest ones, as many as add up to at most
     * {@code leftOut}. This is quickselect by weight, in linear time; it reorders the amounts.
     *
     * @return empty if all amounts are left out
     */
    OptionalDouble largestBut(double leftOut) {
      double rest = leftOut;
      int from = 0;
      int to = count;
      while (from < to) {
        double pivot = median(values[from], values[(from + to) >>> 1], values[to - 1]);
        int greater = from; // values in [from, greater) are greater than the pivot
        int equal = from; // in [greater, equal) they are equal, in [less, to) less
        int less = to;
        double sumGreater = 0;
        double sumEqual = 0;
        while (equal < less) {
          double value = values[equal];
          if (value > pivot) {
            sumGreater += value;
            swap(greater++, equal++);
          } else if (value == pivot) {
            sumEqual += value;
            equal++;
          } else {
            swap(equal, --less);
          }
        }
        if (sumGreater > rest) {
          to = greater;
        } else if (sumGreater + sumEqual > rest) {
          return OptionalDouble.of(pivot);
        } else {
          rest -= sumGreater + sumEqual;
          from = less;
        }
      }
      return OptionalDouble.empty();
    }

    private static double median(double a, double b, double c) {
      return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    }

    private void swap(int one, int other) {
      double value = values[one];
      values[one] = values[other];
      values[other] = value;
    }
  }
}
