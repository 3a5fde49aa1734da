// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.model;

import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.RealMatrix;

/**
 * Sums up {@code w x x'} over many vectors x with weights w.
 *
 * <p>With 756 terms and 500,000 examples that is nearly all of the work of a training. So vectors
 * are taken {@value #ROWS} at a time, and each row of the matrix is in the processor's cache while
 * all of them are added to it. The order of additions is fixed, so the result is too.
 */
final class GramMatrix {
  private static final int ROWS = 64;
  private static final int TOGETHER = 4;

  private final int size;
  private final double[][] sums;
  private final double[][] waiting;
  private final double[] weights = new double[ROWS];
  private int filled;

  GramMatrix(int size) {
    this.size = size;
    this.sums = new double[size][size];
    this.waiting = new double[ROWS][size];
  }

  /** Adds a vector, which is copied. */
  void add(double[] vector, double weight) {
    System.arraycopy(vector, 0, waiting[filled], 0, size);
    weights[filled++] = weight;
    if (filled == ROWS) {
      flush();
    }
  }

  private void flush() {
    for (int row = filled; row % TOGETHER != 0; row++) {
      weights[row] = 0; // what is left there from before does not count
    }
    for (int i = 0; i < size; i++) {
      for (int row = 0; row < filled; row += TOGETHER) {
        addTo(sums[i], i, row);
      }
    }
    filled = 0;
  }

  private void addTo(double[] sum, int i, int row) {
    double[] a = waiting[row];
    double[] b = waiting[row + 1];
    double[] c = waiting[row + 2];
    double[] d = waiting[row + 3];
    double wa = weights[row] * a[i];
    double wb = weights[row + 1] * b[i];
    double wc = weights[row + 2] * c[i];
    double wd = weights[row + 3] * d[i];
    for (int j = i; j < size; j++) {
      sum[j] += wa * a[j] + wb * b[j] + wc * c[j] + wd * d[j];
    }
  }

  /** Returns the whole symmetric matrix of the sums, each multiplied by a factor. */
  RealMatrix times(double factor) {
    flush();
    RealMatrix matrix = new Array2DRowRealMatrix(size, size);
    for (int i = 0; i < size; i++) {
      for (int j = i; j < size; j++) {
        matrix.setEntry(i, j, sums[i][j] * factor);
        matrix.setEntry(j, i, sums[i][j] * factor);
      }
    }
    return matrix;
  }
}
