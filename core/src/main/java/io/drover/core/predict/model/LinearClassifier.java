// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.model;

import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.RealVector;

/** A score that is linear in the terms of a {@link Basis}. */
record LinearClassifier(Basis basis, RealVector weights, double base) implements Classifier {
  private RealVector terms(double[] features) {
    return new ArrayRealVector(basis.terms(features), false);
  }

  @Override
  public double score(double[] features) {
    return base + weights.dotProduct(terms(features));
  }

  @Override
  public double[] contributions(double[] features) {
    return basis.byFeature(weights.ebeMultiply(terms(features)).toArray());
  }
}
