// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EstimatorKindTest {
  private static final double P = 0.1;

  /** A mixture that is almost sure of a slow machine no longer learns about its healthy state. */
  private static final double SLACK = 0.01;

  private static OutlierEstimator unknown(EstimatorKind kind) {
    return kind.unknown(MachineSettings.DEFAULT);
  }

  /** Outcomes of a job that also has outcomes on other machines. */
  private static AdmittedOutcomes of(
      int attempts, int outliers, int elsewhere, int outliersElsewhere) {
    return new AdmittedOutcomes("m", attempts, outliers, elsewhere, outliersElsewhere, 0, 0);
  }

  /** Outcomes of a job without outcomes on other machines. */
  private static AdmittedOutcomes of(int attempts, int outliers) {
    return of(attempts, outliers, 0, 0);
  }

  private static double after(OutlierEstimator estimator, AdmittedOutcomes... outcomes) {
    for (AdmittedOutcomes o : outcomes) {
      estimator.observe(o, P, 1);
    }
    return estimator.probability(P);
  }

  @ParameterizedTest
  @EnumSource
  void machineOfWhichNothingIsKnownHasTheClustersProbability(EstimatorKind kind) {
    OutlierEstimator estimator = unknown(kind);
    for (double p : new double[] {1e-5, 0.02, 0.1, 0.5}) {
      estimator.windowsEnd(1, p);
      assertThat(estimator.probability(p)).isCloseTo(p, within(1e-12));
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DOLLY")
  void whatIsKnownIsForgottenInTheEnd(EstimatorKind kind) {
    OutlierEstimator estimator = unknown(kind);
    after(estimator, of(30, 30));
    estimator.windowsEnd(36 * 40, P); // 40 half-lives of 3 h
    assertThat(estimator.probability(P)).isCloseTo(P, within(1e-9));
  }

  @ParameterizedTest
  @EnumSource
  void manyWindowsAtOnceAreAsManyOneByOne(EstimatorKind kind) {
    OutlierEstimator once = unknown(kind);
    OutlierEstimator oneByOne = unknown(kind);
    after(once, of(5, 3));
    after(oneByOne, of(5, 3));
    once.windowsEnd(50, P);
    for (int i = 0; i < 50; i++) {
      oneByOne.windowsEnd(1, P);
    }
    assertThat(once.probability(P)).isCloseTo(oneByOne.probability(P), within(1e-12));
  }

  @ParameterizedTest
  @EnumSource
  void moreOutliersNeverMakeAMachineBetter(EstimatorKind kind) {
    Random random = new Random(7);
    for (int life = 0; life < 200; life++) {
      OutlierEstimator few = unknown(kind);
      OutlierEstimator more = unknown(kind);
      for (int i = 0; i < 20; i++) {
        int attempts = 1 + random.nextInt(9);
        int outliers = random.nextInt(attempts);
        int elsewhere = random.nextInt(100);
        int outliersElsewhere = elsewhere / (1 + random.nextInt(20));
        few.observe(of(attempts, outliers, elsewhere, outliersElsewhere), P, 1);
        more.observe(of(attempts, outliers + 1, elsewhere, outliersElsewhere), P, 1);
        few.windowsEnd(1, P);
        more.windowsEnd(1, P);
        assertThat(few.probability(P)).isBetween(0.0, 1.0);
        assertThat(more.probability(P)).isBetween(few.probability(P) - SLACK, 1.0);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void figuresAreAllThatIsKnown(EstimatorKind kind) {
    OutlierEstimator estimator = unknown(kind);
    after(estimator, of(4, 3));
    estimator.windowsEnd(1, P);
    after(estimator, of(2, 1));
    OutlierEstimator restored = unknown(kind);
    restored.restore(estimator.figures());
    for (int i = 0; i < 3; i++) {
      assertThat(restored.probability(P)).isEqualTo(estimator.probability(P));
      estimator.windowsEnd(1, P);
      restored.windowsEnd(1, P);
      assertThat(after(restored, of(3, 1))).isEqualTo(after(estimator, of(3, 1)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void figuresThatAreNoneAreRefused(EstimatorKind kind) {
    int count = unknown(kind).figures().length;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> unknown(kind).restore(new double[count + 1]))
        .withMessageContaining("figures must be " + count);
    if (count > 0) {
      double[] nan = new double[count];
      nan[0] = Double.NaN;
      assertThatIllegalArgumentException().isThrownBy(() -> unknown(kind).restore(nan));
    }
  }

  @Test
  void dollyIsTheMeanOfWhatWasAndOfTheWindow() {
    OutlierEstimator dolly = unknown(EstimatorKind.DOLLY);
    assertThat(after(dolly, of(1, 1), of(1, 0))).as("within the window").isEqualTo(P);
    dolly.windowsEnd(1, P);
    assertThat(dolly.probability(P)).isCloseTo((P + 0.5) / 2, within(1e-12));
    dolly.windowsEnd(3, P);
    assertThat(dolly.probability(P)).as("nothing ran").isCloseTo(0.3, within(1e-12));
    after(dolly, of(4, 0));
    dolly.windowsEnd(1, P);
    assertThat(dolly.probability(P)).isCloseTo(0.15, within(1e-12));
  }

  @Test
  void betaIsDrawnTowardsTheCluster() {
    OutlierEstimator beta = unknown(EstimatorKind.BETA);
    assertThat(after(beta, of(10, 3))).isCloseTo((2 + 3) / (20 + 10.0), within(1e-12));
    beta.windowsEnd(36, P); // a half-life
    assertThat(beta.probability(P)).isCloseTo((2 + 1.5) / (20 + 5), within(1e-12));
  }

  @Test
  void mixtureIsTheFormula() {
    MixtureEstimator mixture = new MixtureEstimator(0.01, 2, 0.5);
    // r = (1 + 2 * 0.1) / (4 + 2) = 0.2, above p; odds = 1/99 * (5/2)^2 * 5/8
    double odds = 1 / 99.0 * 6.25 * 0.625;
    double w = odds / (1 + odds);
    double theta = (2 + (1 - w) * 2) / (2 + (1 - w) * 3 * 0.2);
    double others = (0.1 - 0.01 * 0.5) / 0.99;
    assertThat(after(mixture, of(3, 2, 4, 1)))
        .isCloseTo(w * 0.5 + (1 - w) * others * theta, within(1e-12));
  }

  @Test
  void machineThatMakesOutliersOfAllItRunsIsSoonKnown() {
    OutlierEstimator mixture = unknown(EstimatorKind.MIXTURE);
    double p = 0.05;
    mixture.observe(of(2, 2, 10, 0), p, 1);
    mixture.windowsEnd(1, p);
    assertThat(mixture.probability(p)).isBetween(2 * p, 0.5);
    mixture.observe(of(2, 2, 10, 0), p, 1);
    mixture.windowsEnd(1, p);
    assertThat(mixture.probability(p)).isGreaterThan(8 * p);
  }

  @Test
  void oneOutlierIsNoProofHoweverCleanItsJobIs() {
    double p = 0.02;
    OutlierEstimator mixture = unknown(EstimatorKind.MIXTURE);
    mixture.observe(of(1, 1, 1_000_000, 0), p, 1);
    assertThat(mixture.figures()[0]).isCloseTo(Math.log(0.5 / p), within(1e-12));
    assertThat(mixture.probability(p)).isLessThan(3 * p);
  }

  @Test
  void machineThatDidWellForLongIsFoundOutAsSoonAsANewOne() {
    OutlierEstimator newcomer = unknown(EstimatorKind.MIXTURE);
    OutlierEstimator veteran = unknown(EstimatorKind.MIXTURE);
    after(veteran, of(1000, 50, 1000, 50));
    assertThat(after(veteran, of(5, 5))).isCloseTo(after(newcomer, of(5, 5)), within(0.02));
    assertThat(veteran.probability(P)).isGreaterThan(0.3);
  }

  @Test
  void jobWithOutliersEverywhereSaysLittleOfAMachine() {
    double oneOfThem = after(unknown(EstimatorKind.MIXTURE), of(4, 2, 100, 50));
    double otherwiseClean = after(unknown(EstimatorKind.MIXTURE), of(4, 2, 100, 0));
    assertThat(oneOfThem).isCloseTo(P, within(0.001));
    assertThat(otherwiseClean).isGreaterThan(1.8 * P);
  }

  @Test
  void machineThatDoesWellIsBetterThanTheCluster() {
    assertThat(after(unknown(EstimatorKind.MIXTURE), of(30, 0, 100, 10))).isLessThan(0.6 * P);
    assertThat(after(unknown(EstimatorKind.BETA), of(30, 0, 100, 10))).isLessThan(0.6 * P);
  }

  @Test
  void machineThatWasMendedIsTrustedAgain() {
    OutlierEstimator mixture = unknown(EstimatorKind.MIXTURE);
    for (int i = 0; i < 100; i++) {
      after(mixture, of(10, 10));
      mixture.windowsEnd(1, P);
    }
    assertThat(mixture.probability(P)).isGreaterThan(0.4);
    mixture.windowsEnd(36 * 4, P); // nothing was placed there for 12 h
    assertThat(after(mixture, of(10, 0))).isLessThan(2 * P);
  }
}
