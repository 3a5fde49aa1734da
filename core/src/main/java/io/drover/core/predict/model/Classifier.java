// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.model;

/** Tells how likely a case is of the positive class. Immutable. */
public interface Classifier {
  /**
   * Returns the score of a case: an estimate of its log-odds, log P(positive) / P(negative), with
   * the share of positive cases among the examples as prior.
   *
   * @param features as many as the examples had; NaN stands for "not known"
   */
  double score(double[] features);

  /**
   * Returns what each feature adds to the score of a case, compared with a case that is average in
   * all of them. Half of what the product of two features adds is each one's.
   *
   * @param features as for {@link #score}
   * @return as many numbers; their sum and {@link #base} are the score
   */
  double[] contributions(double[] features);

  /** Returns the score of a case whose features contribute nothing. */
  double base();
}
