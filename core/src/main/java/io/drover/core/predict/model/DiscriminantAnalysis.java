// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.model;

import io.drover.core.predict.model.Basis.Group;
import java.util.List;
import org.apache.commons.math3.linear.ArrayRealVector;
import org.apache.commons.math3.linear.CholeskyDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.RealVector;

/**
 * Linear and quadratic discriminant analysis: each class is a normal distribution, and a case is of
 * the class that is more likely to have made it. The linear one assumes that both have the same
 * covariance (Fisher 1936; Hastie, Tibshirani, Friedman, "The Elements of Statistical Learning",
 * section 4.3).
 *
 * <p>Departure from the slides of Rosa et al., which do not mention it: covariances are shrunk
 * ({@link ClassMoments#shrunk}). Without that, a single feature that is the sum of others makes
 * training fail.
 */
final class DiscriminantAnalysis {
  private DiscriminantAnalysis() {}

  /**
   * Trains a linear classifier.
   *
   * @param products groups of features whose products and squares are terms as well
   * @param shrinkage how far the covariance is drawn towards its mean variance, in [0,1]
   */
  static Classifier linear(Examples examples, List<Group> products, double shrinkage) {
    examples.requireBothClasses();
    Basis basis = new Basis(examples, products);
    ClassMoments[] of = ClassMoments.of(examples, basis);
    int n = examples.size();
    double prior = Math.log((double) of[1].number() / of[0].number());
    if (basis.size() == 0) {
      return new LinearClassifier(basis, new ArrayRealVector(0), prior);
    }
    RealMatrix within = of[0].scatter(n).add(of[1].scatter(n));
    CholeskyDecomposition covariance =
        ClassMoments.shrunk(within, shrinkage, within.getTrace() / basis.size());
    RealVector weights = covariance.getSolver().solve(of[1].mean().subtract(of[0].mean()));
    double middle = weights.dotProduct(of[1].mean().add(of[0].mean())) / 2;
    return new LinearClassifier(basis, weights, prior - middle);
  }

  /**
   * Trains a quadratic classifier.
   *
   * @param shrinkage how far the covariances are drawn towards that of independent terms with
   *     variance 1, in [0,1]
   */
  static Classifier quadratic(Examples examples, double shrinkage) {
    examples.requireBothClasses();
    Basis basis = new Basis(examples, List.of());
    ClassMoments[] of = ClassMoments.of(examples, basis);
    return new QuadraticClassifier(
        basis,
        Normal.of(of[0], shrinkage),
        Normal.of(of[1], shrinkage),
        Math.log((double) of[1].number() / of[0].number()));
  }

  /** A normal distribution, up to a constant that is the same for all. */
  record Normal(RealVector mean, RealMatrix inverse, double logDeterminant) {
    static Normal of(ClassMoments moments, double shrinkage) {
      RealMatrix covariance = moments.scatter(Math.max(1, moments.number() - 1));
      CholeskyDecomposition shrunk = ClassMoments.shrunk(covariance, shrinkage, 1);
      double log = 0;
      for (int t = 0; t < covariance.getRowDimension(); t++) {
        log += 2 * Math.log(shrunk.getL().getEntry(t, t));
      }
      return new Normal(moments.mean(), shrunk.getSolver().getInverse(), log);
    }

    /** Returns what each term adds to the squared Mahalanobis distance from the mean. */
    RealVector distance(RealVector terms) {
      RealVector off = terms.subtract(mean);
      return off.ebeMultiply(inverse.operate(off));
    }
  }
}
