// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.model;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;

/**
 * Logistic regression with a ridge penalty, by Newton's method (iteratively reweighted least
 * squares: "The Elements of Statistical Learning", section 4.4.1). It minimizes
 *
 * <pre>
 *   sum of log(1 + exp(-y score)) over the examples, y = 1 or -1
 *   + ridge / 2 * sum of the squared weights (the intercept is free)
 * </pre>
 *
 * <p>The penalty keeps weights finite if the classes can be separated, and makes the minimum unique
 * if terms depend on each other.
 */
final class LogisticRegression {
  private static final int MOST_STEPS = 100;
  private static final int MOST_HALVES = 30;
  private static final double PRECISE = 1e-10;

  private final Basis basis;
  private final double[][] terms;
  private final Examples examples;
  private final double ridge;

  private LogisticRegression(Examples examples, double ridge) {
    this.basis = new Basis(examples, List.of());
    this.examples = examples;
    this.ridge = ridge;
    this.terms = new double[examples.size()][];
    for (int i = 0; i < terms.length; i++) {
      terms[i] = withOne(basis.terms(examples.row(i)));
    }
  }

  /** Returns the terms of a case and a 1, whose weight is the intercept. */
  private static double[] withOne(double[] of) {
    double[] all = Arrays.copyOf(of, of.length + 1);
    all[of.length] = 1;
    return all;
  }

  /**
   * Trains a classifier.
   *
   * @param ridge above 0
   */
  static Classifier train(Examples examples, double ridge) {
    examples.requireBothClasses();
    return new LogisticRegression(examples, ridge).minimize();
  }

  private Classifier minimize() {
    int size = basis.size();
    RealVector weights = new ArrayRealVector(size + 1);
    double share = (double) examples.positives() / examples.size();
    weights.setEntry(size, Math.log(share / (1 - share)));
    double loss = loss(weights);
    for (int step = 0; step < MOST_STEPS; step++) {
      RealVector move = newton(weights);
      RealVector next = weights.subtract(move);
      double nextLoss = loss(next);
      for (int half = 0; nextLoss > loss && half < MOST_HALVES; half++) {
        move = move.mapMultiply(0.5);
        next = weights.subtract(move);
        nextLoss = loss(next);
      }
      boolean isDone = move.getLInfNorm() < PRECISE || nextLoss >= loss;
      if (nextLoss <= loss) {
        weights = next;
        loss = nextLoss;
      }
      if (isDone) {
        break;
      }
    }
    return new LinearClassifier(basis, weights.getSubVector(0, size), weights.getEntry(size));
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int t = 0; t < a.length; t++) {
      sum += a[t] * b[t];
    }
    return sum;
  }

  private double loss(RealVector of) {
    double[] weights = of.toArray();
    double loss = 0;
    for (int i = 0; i < terms.length; i++) {
      double score = dot(weights, terms[i]);
      double margin = examples.isPositive(i) ? score : -score;
      loss += margin > 0 ? Math.log1p(Math.exp(-margin)) : Math.log1p(Math.exp(margin)) - margin;
    }
    for (int t = 0; t < weights.length - 1; t++) {
      loss += ridge / 2 * weights[t] * weights[t];
    }
    return loss;
  }

  /** Returns the step of Newton's method: the inverse of the curvature, times the slope. */
  private RealVector newton(RealVector of) {
    double[] weights = of.toArray();
    int size = weights.length;
    double[] slope = new double[size];
    GramMatrix curvature = new GramMatrix(size);
    for (int i = 0; i < terms.length; i++) {
      double p = 1 / (1 + Math.exp(-dot(weights, terms[i])));
      double off = p - (examples.isPositive(i) ? 1 : 0);
      for (int t = 0; t < size; t++) {
        slope[t] += off * terms[i][t];
      }
      curvature.add(terms[i], p * (1 - p));
    }
    RealMatrix matrix = curvature.times(1);
    for (int t = 0; t < size - 1; t++) {
      slope[t] += ridge * weights[t];
      matrix.addToEntry(t, t, ridge);
    }
    matrix.addToEntry(size - 1, size - 1, 1e-9); // the intercept, if all scores are extreme
    return new CholeskyDecomposition(matrix, 1e-10, 0)
        .getSolver()
        .solve(new ArrayRealVector(slope, false));
  }
}
