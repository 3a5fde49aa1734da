// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.model;

import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;

/** The number, the mean and the covariance of the examples of one class. */
final class ClassMoments {
  private final double[] sum;
  private final GramMatrix squares;
  private int number;

  ClassMoments(int size) {
    sum = new double[size];
    squares = new GramMatrix(size);
  }

  /** Returns the moments of both classes: those of the negative one first. */
  static ClassMoments[] of(Examples examples, Basis basis) {
    ClassMoments[] both = {new ClassMoments(basis.size()), new ClassMoments(basis.size())};
    for (int i = 0; i < examples.size(); i++) {
      both[examples.isPositive(i) ? 1 : 0].add(basis.terms(examples.row(i)));
    }
    return both;
  }

  private void add(double[] terms) {
    for (int t = 0; t < sum.length; t++) {
      sum[t] += terms[t];
    }
    squares.add(terms, 1);
    number++;
  }

  int number() {
    return number;
  }

  RealVector mean() {
    return new ArrayRealVector(sum).mapDivide(number);
  }

  /** Returns the sum of the squared distances from the mean, divided by a number. */
  RealMatrix scatter(double divisor) {
    RealVector mean = mean();
    return squares
        .times(1 / divisor)
        .subtract(mean.outerProduct(mean).scalarMultiply(number / divisor));
  }

  /**
   * Returns a covariance that is drawn towards one of independent terms, so that it can be inverted
   * however few the examples are and however much terms depend on each other (Friedman 1989,
   * "Regularized Discriminant Analysis").
   *
   * @param share how far, in [0,1]
   * @param variance of the independent terms
   */
  static CholeskyDecomposition shrunk(RealMatrix covariance, double share, double variance) {
    int size = covariance.getRowDimension();
    RealMatrix shrunk = covariance.scalarMultiply(1 - share);
    for (int t = 0; t < size; t++) {
      shrunk.addToEntry(t, t, share * variance);
    }
    return new CholeskyDecomposition(shrunk, 1e-10, 0);
  }
}
