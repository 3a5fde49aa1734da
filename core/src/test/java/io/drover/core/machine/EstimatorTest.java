// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EstimatorTest {
  private static final double P = 0.1;

  /** A mixture that is all but sure of a slow machine no longer learns what it is when well. */
  private static final double SLACK = 0.01;

  private static OutlierBelief unknown(Estimator estimator) {
    return estimator.unknown(MachineSettings.DEFAULT);
  }

  /** Outcomes of a job that has had some luck elsewhere. */
  private static Outcomes of(int attempts, int outliers, int elsewhere, int outliersElsewhere) {
    return new Outcomes("m", attempts, outliers, elsewhere, outliersElsewhere, 0, 0);
  }

  /** Outcomes of a job of which nothing else is known. */
  private static Outcomes of(int attempts, int outliers) {
    return of(attempts, outliers, 0, 0);
  }

  private static double after(OutlierBelief belief, Outcomes... outcomes) {
    for (Outcomes o : outcomes) {
      belief.observe(o, P, 1);
    }
    return belief.probability(P);
  }

  @ParameterizedTest
  @EnumSource
  void machineOfWhichNothingIsKnownHasTheClustersProbability(Estimator estimator) {
    OutlierBelief belief = unknown(estimator);
    for (double p : new double[] {1e-5, 0.02, 0.1, 0.5}) {
      belief.windowsEnd(1, p);
      assertThat(belief.probability(p)).isCloseTo(p, within(1e-12));
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DOLLY")
  void whatIsKnownIsForgottenInTheEnd(Estimator estimator) {
    OutlierBelief belief = unknown(estimator);
    after(belief, of(30, 30));
    belief.windowsEnd(36 * 40, P); // 40 half-lives of 3 h
    assertThat(belief.probability(P)).isCloseTo(P, within(1e-9));
  }

  @ParameterizedTest
  @EnumSource
  void manyWindowsAtOnceAreAsManyOneByOne(Estimator estimator) {
    OutlierBelief once = unknown(estimator);
    OutlierBelief oneByOne = unknown(estimator);
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
  void moreOutliersNeverMakeAMachineBetter(Estimator estimator) {
    Random random = new Random(7);
    for (int life = 0; life < 200; life++) {
      OutlierBelief few = unknown(estimator);
      OutlierBelief more = unknown(estimator);
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
  void figuresAreAllThatIsKnown(Estimator estimator) {
    OutlierBelief belief = unknown(estimator);
    after(belief, of(4, 3));
    belief.windowsEnd(1, P);
    after(belief, of(2, 1));
    OutlierBelief restored = unknown(estimator);
    restored.restore(belief.figures());
    for (int i = 0; i < 3; i++) {
      assertThat(restored.probability(P)).isEqualTo(belief.probability(P));
      belief.windowsEnd(1, P);
      restored.windowsEnd(1, P);
      assertThat(after(restored, of(3, 1))).isEqualTo(after(belief, of(3, 1)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void figuresThatAreNoneAreRefused(Estimator estimator) {
    int count = unknown(estimator).figures().length;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> unknown(estimator).restore(new double[count + 1]))
        .withMessageContaining("figures must be " + count);
    if (count > 0) {
      double[] nan = new double[count];
      nan[0] = Double.NaN;
      assertThatIllegalArgumentException().isThrownBy(() -> unknown(estimator).restore(nan));
    }
  }

  @Test
  void dollyIsTheMeanOfWhatWasAndOfTheWindow() {
    OutlierBelief dolly = unknown(Estimator.DOLLY);
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
    OutlierBelief beta = unknown(Estimator.BETA);
    assertThat(after(beta, of(10, 3))).isCloseTo((2 + 3) / (20 + 10.0), within(1e-12));
    beta.windowsEnd(36, P); // a half-life
    assertThat(beta.probability(P)).isCloseTo((2 + 1.5) / (20 + 5), within(1e-12));
  }

  @Test
  void mixtureIsTheFormula() {
    MixtureBelief mixture = new MixtureBelief(0.01, 2, 0.5);
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
    OutlierBelief mixture = unknown(Estimator.MIXTURE);
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
    OutlierBelief mixture = unknown(Estimator.MIXTURE);
    mixture.observe(of(1, 1, 1_000_000, 0), p, 1);
    assertThat(mixture.figures()[0]).isCloseTo(Math.log(0.5 / p), within(1e-12));
    assertThat(mixture.probability(p)).isLessThan(3 * p);
  }

  @Test
  void machineThatDidWellForLongIsFoundOutAsSoonAsANewOne() {
    OutlierBelief newcomer = unknown(Estimator.MIXTURE);
    OutlierBelief veteran = unknown(Estimator.MIXTURE);
    after(veteran, of(1000, 50, 1000, 50));
    assertThat(after(veteran, of(5, 5))).isCloseTo(after(newcomer, of(5, 5)), within(0.02));
    assertThat(veteran.probability(P)).isGreaterThan(0.3);
  }

  @Test
  void jobWithOutliersEverywhereSaysLittleOfAMachine() {
    double oneOfThem = after(unknown(Estimator.MIXTURE), of(4, 2, 100, 50));
    double otherwiseClean = after(unknown(Estimator.MIXTURE), of(4, 2, 100, 0));
    assertThat(oneOfThem).isCloseTo(P, within(0.001));
    assertThat(otherwiseClean).isGreaterThan(1.8 * P);
  }

  @Test
  void machineThatDoesWellIsBetterThanTheCluster() {
    assertThat(after(unknown(Estimator.MIXTURE), of(30, 0, 100, 10))).isLessThan(0.6 * P);
    assertThat(after(unknown(Estimator.BETA), of(30, 0, 100, 10))).isLessThan(0.6 * P);
  }

  @Test
  void machineThatWasMendedIsTrustedAgain() {
    OutlierBelief mixture = unknown(Estimator.MIXTURE);
    for (int i = 0; i < 100; i++) {
      after(mixture, of(10, 10));
      mixture.windowsEnd(1, P);
    }
    assertThat(mixture.probability(P)).isGreaterThan(0.4);
    mixture.windowsEnd(36 * 4, P); // nothing was placed there for 12 h
    assertThat(after(mixture, of(10, 0))).isLessThan(2 * P);
  }
}
