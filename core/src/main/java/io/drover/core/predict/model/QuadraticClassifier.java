// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.model;

import io.drover.core.predict.model.DiscriminantAnalysis.Normal;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.RealVector;

/** The log ratio of two normal densities, with a prior. */
record QuadraticClassifier(Basis basis, Normal negative, Normal positive, double prior)
    implements Classifier {
  @Override
  public double base() {
    return prior + (negative.logDeterminant() - positive.logDeterminant()) / 2;
  }

  private RealVector ofTerms(double[] features) {
    RealVector terms = new ArrayRealVector(basis.terms(features), false);
    return negative.distance(terms).subtract(positive.distance(terms)).mapDivide(2);
  }

  @Override
  public double score(double[] features) {
    double score = base();
    for (double part : ofTerms(features).toArray()) {
      score += part;
    }
    return score;
  }

  @Override
  public double[] contributions(double[] features) {
    return basis.byFeature(ofTerms(features).toArray());
  }
}
