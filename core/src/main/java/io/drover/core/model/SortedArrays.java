// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/** Searches in arrays that are in ascending order. */
public final class SortedArrays {
  private SortedArrays() {}

  /**
   * How many values are less than the given one, and so the index of the first that is not. Unlike
   * {@link java.util.Arrays#binarySearch} it says which of several equal ones is found.
   */
  public static int countBelow(double[] ascending, double value) {
    return firstNotBelow(ascending, 0, ascending.length, value);
  }

  /**
   * The same among some of the values only: the index of the first that is not less than the given
   * one; {@code to} if there is none.
   *
   * @param from index of the first value to look at
   * @param to index after the last
   */
  public static int firstNotBelow(double[] ascending, int from, int to, double value) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ascending[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
