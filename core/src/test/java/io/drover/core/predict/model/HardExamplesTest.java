// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Trains on examples that make naive implementations fail or return nonsense. */
class HardExamplesTest {
  private final SplittableRandom random = new SplittableRandom(1);

  private double[][] noise(int rows, int width) {
    double[][] noise = new double[rows][width];
    for (double[] row : noise) {
      Arrays.setAll(row, j -> random.nextGaussian());
    }
    return noise;
  }

  private static boolean[] everyNth(int rows, int n) {
    boolean[] positive = new boolean[rows];
    for (int i = 0; i < rows; i += n) {
      positive[i] = true;
    }
    return positive;
  }

  private static void finite(Classifier classifier, double[][] rows) {
    for (double[] row : rows) {
      assertThat(classifier.score(row)).isFinite();
      assertThat(Arrays.stream(classifier.contributions(row)).allMatch(Double::isFinite)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void fewerExamplesThanTermsAndASinglePositive(Method method) {
    double[][] rows = noise(30, 36); // 702 terms
    finite(method.train(new Examples(rows, everyNth(30, 30)), 36), rows);
  }

  @ParameterizedTest
  @EnumSource
  void constantsAndFeaturesThatNobodyKnowsDoNotMatter(Method method) {
    double[][] rows = noise(100, 4);
    boolean[] positive = everyNth(100, 5);
    double[] before = scores(method.train(new Examples(rows, positive), 4), rows);
    double[][] wider =
        Arrays.stream(rows).map(row -> Arrays.copyOf(row, 6)).toArray(double[][]::new);
    for (double[] row : wider) {
      row[4] = 1e9;
      row[5] = Double.NaN;
    }
    Classifier classifier = method.train(new Examples(wider, positive), 6);
    assertThat(scores(classifier, wider)).containsExactly(before, within(1e-6));
    wider[0][5] = 3; // known for once
    finite(classifier, wider);
  }

  private static double[] scores(Classifier classifier, double[][] rows) {
    return Arrays.stream(rows).mapToDouble(classifier::score).toArray();
  }

  @ParameterizedTest
  @EnumSource
  void hugeAndTinyScalesAreTheSame(Method method) {
    double[][] rows = noise(200, 3);
    boolean[] positive = everyNth(200, 4);
    double[] plain = scores(method.train(new Examples(rows, positive), 3), rows);
    double[][] scaled =
        Arrays.stream(rows)
            .map(row -> new double[] {row[0] * 1e12, row[1] * 1e-12 + 1e-9, row[2] + 1e6})
            .toArray(double[][]::new);
    assertThat(scores(method.train(new Examples(scaled, positive), 3), scaled))
        .containsExactly(plain, within(1e-4));
  }

  @ParameterizedTest
  @EnumSource
  void classesThatAFeatureSeparatesAreSeparated(Method method) {
    double[][] rows = noise(200, 3);
    boolean[] positive = everyNth(200, 4);
    for (int i = 0; i < rows.length; i++) {
      rows[i][1] = positive[i] ? 5 : -5;
    }
    Classifier classifier = method.train(new Examples(rows, positive), 3);
    finite(classifier, rows);
    for (int i = 0; i < rows.length; i++) {
      assertThat(classifier.score(rows[i]) > 0).isEqualTo(positive[i]);
    }
  }

  @ParameterizedTest
  @EnumSource
  void trainingIsDeterministic(Method method) {
    double[][] rows = noise(300, 5);
    boolean[] positive = everyNth(300, 7);
    double[] first = scores(method.train(new Examples(rows, positive), 5), rows);
    assertThat(scores(method.train(new Examples(rows, positive), 5), rows)).isEqualTo(first);
  }

  @ParameterizedTest
  @EnumSource
  void oneClassOrNoneIsRefused(Method method) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> method.train(new Examples(noise(10, 2), new boolean[10]), 2))
        .withMessage("both classes are needed, and 0 of 10 cases are positive");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> method.train(new Examples(noise(10, 2), everyNth(10, 1)), 2))
        .withMessageContaining("10 of 10");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> method.train(new Examples(new double[0][], new boolean[0]), 2))
        .withMessageContaining("0 of 0");
  }

  @ParameterizedTest
  @EnumSource
  void rowsThatAreNotAlikeAreNamed(Method method) {
    double[][] rows = noise(10, 2);
    Classifier classifier = method.train(new Examples(rows, everyNth(10, 2)), 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> classifier.score(new double[3]))
        .withMessage("3 features were given, and there are 2");
    rows[4] = new double[] {1, Double.NEGATIVE_INFINITY};
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Examples(rows, everyNth(10, 2)))
        .withMessage("feature 1 of row 4 is -Infinity");
    rows[4] = new double[1];
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Examples(rows, everyNth(10, 2)))
        .withMessage("row 4 has 1 features, and row 0 has 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Examples(rows, new boolean[9]))
        .withMessage("there are 10 rows and 9 classes");
  }
}
