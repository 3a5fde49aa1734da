// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/** Searches in arrays that are in ascending order. */
public final class Ascending {
  private Ascending() {}

  /**
   * How many values are less than the given one, and so the index of the first that is not. Unlike
   * {@link java.util.Arrays#binarySearch} it says which of several equal ones is found.
   */
  public static int countBelow(double[] ascending, double value) {
    int low = 0;
    int high = ascending.length;
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
