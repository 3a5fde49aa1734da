// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the scores with those of scikit-learn, an independent implementation. {@code
 * discriminants.py}, beside the fixtures, says how they were made.
 */
class ReferenceScoresTest {
  private record Fixture(List<String> header, List<double[]> rows) {
    static Fixture read(String name) throws Exception {
      try (BufferedReader in =
          new BufferedReader(
              new InputStreamReader(
                  ReferenceScoresTest.class.getResourceAsStream(name + ".csv"),
                  StandardCharsets.UTF_8))) {
        List<String> header = List.of(in.readLine().split(","));
        return new Fixture(header, in.lines().map(Fixture::numbers).toList());
      }
    }

    private static double[] numbers(String line) {
      return Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray();
    }

    int width() {
      return header.indexOf("positive");
    }

    double[] features(double[] row) {
      return Arrays.copyOf(row, width());
    }

    Examples examples() {
      double[][] features = rows.stream().map(this::features).toArray(double[][]::new);
      boolean[] positive = new boolean[features.length];
      for (int i = 0; i < positive.length; i++) {
        positive[i] = rows.get(i)[width()] == 1;
      }
      return new Examples(features, positive);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "skewed-with-a-constant", "few-positives", "collinear"})
  void scoresAreThoseOfAnIndependentImplementation(String name) throws Exception {
    Fixture fixture = Fixture.read(name);
    assertThat(fixture.rows()).hasSize(200);
    for (Method method : Method.values()) {
      Classifier classifier = method.train(fixture.examples(), fixture.width());
      int column = fixture.header().indexOf(method.name());
      for (double[] row : fixture.rows()) {
        assertThat(classifier.score(fixture.features(row)))
            .as("%s of %s", method, name)
            .isCloseTo(row[column], within(1e-6 * Math.max(1, Math.abs(row[column]))));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "skewed-with-a-constant", "few-positives", "collinear"})
  void contributionsAndBaseAreTheScore(String name) throws Exception {
    Fixture fixture = Fixture.read(name);
    for (Method method : Method.values()) {
      Classifier classifier = method.train(fixture.examples(), fixture.width());
      for (double[] row : fixture.rows()) {
        double[] features = fixture.features(row);
        double sum = classifier.base() + Arrays.stream(classifier.contributions(features)).sum();
        assertThat(sum).as("%s", method).isCloseTo(classifier.score(features), within(1e-8));
      }
    }
  }
}
