// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.model;

/**
 * Cases whose class is known, to train a {@link Classifier}. A feature may be {@code NaN}, which
 * stands for "not known".
 */
public final class Examples {
  private final double[][] rows;
  private final boolean[] positive;
  private final int positives;

  /**
   * Creates examples. The arrays are not copied and must not change.
   *
   * @param rows the features of each case, all of one length; finite or NaN
   * @param positive whether each case is of the positive class
   * @throws IllegalArgumentException if a length or a value is not allowed; names the place
   */
  public Examples(double[][] rows, boolean[] positive) {
    if (rows.length != positive.length) {
      throw new IllegalArgumentException(
          "there are %d rows and %d classes".formatted(rows.length, positive.length));
    }
    int found = 0;
    for (int i = 0; i < rows.length; i++) {
      check(rows[i], i, rows[0].length);
      found += positive[i] ? 1 : 0;
    }
    this.rows = rows;
    this.positive = positive;
    this.positives = found;
  }

  private static void check(double[] row, int number, int width) {
    if (row.length != width) {
      throw new IllegalArgumentException(
          "row %d has %d features, and row 0 has %d".formatted(number, row.length, width));
    }
    for (int j = 0; j < width; j++) {
      if (Double.isInfinite(row[j])) {
        throw new IllegalArgumentException(
            "feature %d of row %d is %s".formatted(j, number, row[j]));
      }
    }
  }

  /** Returns the number of cases. */
  public int size() {
    return rows.length;
  }

  /** Returns the number of features. */
  public int width() {
    return rows.length == 0 ? 0 : rows[0].length;
  }

  /** Returns the number of positive cases. */
  public int positives() {
    return positives;
  }

  /** Returns whether there are cases of both classes, without which nothing can be trained. */
  public boolean hasBothClasses() {
    return positives > 0 && positives < size();
  }

  /** Returns the features of a case; not a copy. */
  double[] row(int i) {
    return rows[i];
  }

  boolean isPositive(int i) {
    return positive[i];
  }

  /**
   * Checks that a classifier can be trained.
   *
   * @throws IllegalArgumentException if there are cases of one class only, or none
   */
  void requireBothClasses() {
    if (!hasBothClasses()) {
      throw new IllegalArgumentException(
          "both classes are needed, and %d of %d cases are positive".formatted(positives, size()));
    }
  }
}
