// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/** Searches in arrays that are in ascending order. */
public final class SortedArrays {
  private SortedArrays() {}

  /**
   * Returns how many values are less than the given one, so the index of the first that is not.
   * Unlike {@link java.util.Arrays#binarySearch} it always finds the first of several equal ones.
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
