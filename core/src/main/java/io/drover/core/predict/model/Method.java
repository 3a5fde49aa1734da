// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.model;

import io.drover.core.predict.model.Basis.Group;
import java.util.ArrayList;
import java.util.List;

/**
 * How a classifier is trained. Source: the four of Rosa, Chen and Binder (CCGrid 2015,
 * "Classification Models").
 */
public enum Method {
  /** Linear discriminant analysis. */
  LDA,
  /**
   * Linear discriminant analysis of the features, their squares and their products. As in the
   * source, only features of one group are multiplied with each other.
   */
  ELDA,
  /** Quadratic discriminant analysis. */
  QDA,
  /** Logistic regression. */
  LR;

  /** Found on days 3 to 10 of the Google trace; a hundred times more or less changes little. */
  private static final double LDA_SHRINKAGE = 1e-3;

  private static final double ELDA_SHRINKAGE = 1e-2;
  private static final double QDA_SHRINKAGE = 1e-2;
  private static final double RIDGE = 1;

  /**
   * Trains a classifier. The same examples give the same one.
   *
   * @param groups the numbers of features of each group, in their order; their sum is the width
   * @throws IllegalArgumentException if the examples are of one class
   */
  public Classifier train(Examples examples, int... groups) {
    return switch (this) {
      case LDA -> DiscriminantAnalysis.linear(examples, List.of(), LDA_SHRINKAGE);
      case ELDA -> DiscriminantAnalysis.linear(examples, products(groups), ELDA_SHRINKAGE);
      case QDA -> DiscriminantAnalysis.quadratic(examples, QDA_SHRINKAGE);
      case LR -> LogisticRegression.train(examples, RIDGE);
    };
  }

  private static List<Group> products(int... groups) {
    List<Group> products = new ArrayList<>();
    int from = 0;
    for (int size : groups) {
      products.add(new Group(from, from + size));
      from += size;
    }
    return products;
  }
}
