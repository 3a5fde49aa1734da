// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalityProbabilityTest {
  private static final int SLOTS = 8; // KMN figure 4

  @Test
  void oneBlockIsLocalUnlessAllSlotsOfItsMachineAreBusy() {
    assertThat(new LocalityProbability(0.5, 2).ofOneBlock()).isEqualTo(0.75);
    assertThat(new LocalityProbability(0.5, 1, 3).ofOneBlock()).isEqualTo(0.875);
  }

  @ParameterizedTest
  @CsvSource({"0.6, 10, 0.844", "0.6, 100, 0.184", "0.8, 10, 0.159", "0.9, 10, 0.0036"})
  void preselectedBlocksLoseTheirLocalityFromSixtyPercentOn(double u, int k, double chance) {
    // KMN section 3.1: "the baseline drops dramatically even with utilization of 60% or less"
    assertThat(new LocalityProbability(u, SLOTS).ofPreselected(k))
        .isCloseTo(chance, within(0.0005));
  }

  @ParameterizedTest
  @CsvSource({"10, 100", "10, 200", "100, 1000", "100, 2000"})
  void anyTenthOfTheBlocksIsLocalAtNinetyPercent(int k, int n) {
    // KMN section 3.1: "high even when 90% of the cluster is utilized"
    assertThat(new LocalityProbability(0.9, SLOTS).ofAny(k, n)).isGreaterThan(0.999);
  }

  @Test
  void fiveSamplesOfTenBlocksAtEightyPercentAreFarFromCertain() {
    // KMN section 3.2 says "complete locality"; with the 8 slots of figure 4 the formula gives 0.58
    assertThat(new LocalityProbability(0.8, SLOTS).ofSamples(10, 5))
        .isCloseTo(0.5804, within(0.0005));
    assertThat(new LocalityProbability(0.8, 16).ofSamples(10, 5)).isGreaterThan(0.999);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 0.9", "1, 7, 0.5", "5, 7, 0.8", "7, 7, 0.6", "10, 30, 0.95", "40, 60, 0.9"})
  void anyKOfNIsTheTailOfTheBinomial(int k, int n, double u) {
    LocalityProbability locality = new LocalityProbability(u, SLOTS);
    double p = locality.ofOneBlock();
    double sum = 0;
    double term = Math.pow(1 - p, n);
    for (int i = 0; i <= n; i++) {
      sum += i >= k ? term : 0;
      term *= (n - i) / (i + 1.0) * p / (1 - p);
    }
    assertThat(locality.ofAny(k, n)).isCloseTo(sum, within(1e-11));
  }

  @Test
  void allOfNAndOneSampleAreThePreselected() {
    LocalityProbability locality = new LocalityProbability(0.7, SLOTS);
    assertThat(locality.ofAny(50, 50)).isCloseTo(locality.ofPreselected(50), within(1e-12));
    assertThat(locality.ofSamples(50, 1)).isCloseTo(locality.ofPreselected(50), within(1e-15));
  }

  @ParameterizedTest
  @CsvSource({"0.5", "0.9", "0.99", "0.999"})
  void aHundredThousandBlocksAgreeWithTheNormalDistribution(double u) {
    int n = 100_000;
    LocalityProbability locality = new LocalityProbability(u, SLOTS);
    double p = locality.ofOneBlock();
    int median = (int) Math.round(n * p);
    double deviation = Math.sqrt(n * p * (1 - p));
    assertThat(locality.ofAny(Math.max(1, median), n)).isCloseTo(0.5, within(1.5 / deviation));
    assertThat(locality.ofAny((int) Math.max(1, median - 6 * deviation), n))
        .isGreaterThan(1 - 1e-6);
    assertThat(locality.ofAny((int) Math.min(n, median + 6 * deviation + 1), n)).isLessThan(1e-6);
  }

  @Test
  void fewerBlocksMoreChoiceAndIdlerSlotsAreNeverWorse() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 300; i++) {
      double u = random.nextDouble();
      int k = 1 + random.nextInt(200);
      int n = k + random.nextInt(2000);
      LocalityProbability locality = new LocalityProbability(u, 4);
      double chance = locality.ofAny(k, n);
      assertThat(chance).isBetween(0.0, 1.0);
      assertThat(locality.ofAny(k + 1, n + 1)).isLessThanOrEqualTo(chance + 1e-12);
      assertThat(locality.ofAny(k, n + 1)).isGreaterThanOrEqualTo(chance - 1e-12);
      assertThat(new LocalityProbability(u / 2, 4).ofAny(k, n))
          .isGreaterThanOrEqualTo(chance - 1e-12);
    }
  }

  @Test
  void emptyAndFullClustersAreCertain() {
    assertThat(new LocalityProbability(0, SLOTS).ofAny(10, 10)).isEqualTo(1);
    assertThat(new LocalityProbability(1, SLOTS).ofAny(1, 10)).isZero();
    assertThat(new LocalityProbability(0, SLOTS).ofSamples(10, 2)).isEqualTo(1);
    assertThat(new LocalityProbability(1, SLOTS).ofSamples(1, 2)).isZero();
    assertThat(new LocalityProbability(0.001, SLOTS).ofAny(100_000, 100_000))
        .isCloseTo(1, within(1e-9));
  }

  @Test
  void lateBindingInACrowdOfMachinesComesOutAsTheFormulaSays() {
    // The formula ignores that a machine's blocks share its luck: many machines, few blocks.
    int runs = 2000;
    double error = 4 * Math.sqrt(0.25 / runs);
    assertThat(BlockChoices.allLocal(runs, 12, 14, 1, 0.75, 7))
        .isCloseTo(new LocalityProbability(0.75, SLOTS).ofAny(12, 14), within(error));
    assertThat(BlockChoices.allLocal(runs, 10, 10, 3, 0.8, 8))
        .isCloseTo(new LocalityProbability(0.8, SLOTS).ofSamples(10, 3), within(error));
  }

  @Test
  void badArgumentsAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new LocalityProbability(1.1, 8));
    assertThatIllegalArgumentException().isThrownBy(() -> new LocalityProbability(Double.NaN, 8));
    assertThatIllegalArgumentException().isThrownBy(() -> new LocalityProbability(0.5, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new LocalityProbability(0.5, 1, 0));
    LocalityProbability locality = new LocalityProbability(0.5, 8);
    assertThatIllegalArgumentException().isThrownBy(() -> locality.ofAny(0, 5));
    assertThatIllegalArgumentException().isThrownBy(() -> locality.ofAny(6, 5));
    assertThatIllegalArgumentException().isThrownBy(() -> locality.ofPreselected(0));
    assertThatIllegalArgumentException().isThrownBy(() -> locality.ofSamples(5, 0));
  }
}
