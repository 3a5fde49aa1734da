// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Turns features into the terms of a classifier: each feature, and if asked the square of each and
 * the product of each two. All are standardized to mean 0 and variance 1 over the examples.
 *
 * <p>Features are standardized before they are multiplied. That does not change what a linear
 * classifier of all terms can express, because the products of shifted and scaled features are
 * linear combinations of the same terms. But the numbers stay near 1.
 *
 * <p>A feature that is not known counts as average. A term that is the same in all examples is left
 * out.
 */
final class Basis {
  /** Standard deviations that are smaller in relation to the largest value are rounding errors. */
  private static final double CONSTANT = 1e-12;

  private final double[] means;
  private final double[] scales;
  private final List<Group> squared;
  private final int[] first;
  private final int[] second;
  private double[] termMeans;
  private double[] termScales;
  private int[] kept;

  /**
   * Features that are multiplied with each other.
   *
   * @param from the first
   * @param to the one after the last
   */
  record Group(int from, int to) {}

  /**
   * Creates the terms for examples.
   *
   * @param products the groups of features whose products and squares are terms
   */
  Basis(Examples examples, List<Group> products) {
    int width = examples.width();
    means = new double[width];
    scales = new double[width];
    squared = List.copyOf(products);
    List<int[]> pairs = pairs(width);
    first = pairs.stream().mapToInt(pair -> pair[0]).toArray();
    second = pairs.stream().mapToInt(pair -> pair[1]).toArray();
    standardize(examples);
    standardizeTerms(examples);
  }

  private List<int[]> pairs(int width) {
    List<int[]> pairs = new ArrayList<>();
    for (int j = 0; j < width; j++) {
      pairs.add(new int[] {j, -1});
    }
    for (Group group : squared) {
      for (int j = group.from(); j < group.to(); j++) {
        for (int k = j; k < group.to(); k++) {
          pairs.add(new int[] {j, k});
        }
      }
    }
    return pairs;
  }

  private void standardize(Examples examples) {
    for (int j = 0; j < means.length; j++) {
      double sum = 0;
      double largest = 0;
      int known = 0;
      for (int i = 0; i < examples.size(); i++) {
        double value = examples.row(i)[j];
        if (!Double.isNaN(value)) {
          sum += value;
          known++;
          largest = Math.max(largest, Math.abs(value));
        }
      }
      means[j] = known == 0 ? 0 : sum / known;
      double squares = 0;
      for (int i = 0; i < examples.size(); i++) {
        double value = examples.row(i)[j];
        squares += Double.isNaN(value) ? 0 : (value - means[j]) * (value - means[j]);
      }
      scales[j] = scale(squares, known, largest);
    }
  }

  /** Returns the reciprocal of a standard deviation; 0 for a constant. */
  private static double scale(double squares, int known, double largest) {
    double deviation = known == 0 ? 0 : Math.sqrt(squares / known);
    return deviation <= CONSTANT * largest ? 0 : 1 / deviation;
  }

  private void standardizeTerms(Examples examples) {
    int all = first.length;
    termMeans = new double[all];
    double[] largest = new double[all];
    forEach(
        examples,
        terms -> {
          for (int t = 0; t < all; t++) {
            termMeans[t] += terms[t] / examples.size();
            largest[t] = Math.max(largest[t], Math.abs(terms[t]));
          }
        });
    double[] squares = new double[all];
    forEach(
        examples,
        terms -> {
          for (int t = 0; t < all; t++) {
            double off = terms[t] - termMeans[t];
            squares[t] += off * off;
          }
        });
    termScales = new double[all];
    Arrays.setAll(termScales, t -> scale(squares[t], examples.size(), largest[t]));
    kept = IntStream.range(0, all).filter(t -> termScales[t] > 0).toArray();
  }

  /** Passes the terms of each example to a consumer that must not keep them. */
  private void forEach(Examples examples, Consumer<double[]> consumer) {
    double[] standard = new double[means.length];
    double[] terms = new double[first.length];
    for (int i = 0; i < examples.size(); i++) {
      raw(examples.row(i), standard, terms);
      consumer.accept(terms);
    }
  }

  private void raw(double[] features, double[] standard, double[] terms) {
    for (int j = 0; j < means.length; j++) {
      double value = (features[j] - means[j]) * scales[j];
      standard[j] = Double.isNaN(value) ? 0 : value;
    }
    for (int t = 0; t < first.length; t++) {
      terms[t] = standard[first[t]] * (second[t] < 0 ? 1 : standard[second[t]]);
    }
  }

  /** Returns the number of terms. */
  int size() {
    return kept.length;
  }

  /** Returns the number of features. */
  int width() {
    return means.length;
  }

  /** Returns the terms of a case. */
  double[] terms(double[] features) {
    if (features.length != means.length) {
      throw new IllegalArgumentException(
          "%d features were given, and there are %d".formatted(features.length, means.length));
    }
    double[] all = new double[first.length];
    raw(features, new double[means.length], all);
    double[] terms = new double[kept.length];
    for (int t = 0; t < kept.length; t++) {
      terms[t] = (all[kept[t]] - termMeans[kept[t]]) * termScales[kept[t]];
    }
    return terms;
  }

  /** Distributes what the terms add to a score over the features that they are made of. */
  double[] byFeature(double[] ofTerms) {
    double[] of = new double[means.length];
    for (int t = 0; t < kept.length; t++) {
      int other = second[kept[t]];
      if (other < 0) {
        of[first[kept[t]]] += ofTerms[t];
      } else {
        of[first[kept[t]]] += ofTerms[t] / 2;
        of[other] += ofTerms[t] / 2;
      }
    }
    return of;
  }
}
