// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.StatUtils;
import org.junit.jupiter.api.Test;

/** Compares with the figures of Mantri sections 4.1 and 4.2. */
class PublishedSlownessTest {
  private static final int PHASES = 20_000;
  private static final LongPredicate EQUAL = phase -> false;

  /** Leaves out the factor of machines, so that the drawn values can be seen. */
  private final PublishedSlowness even = new PublishedSlowness(1, EQUAL, 100, 0);

  private double[] attempts(PublishedSlowness slowness) {
    return IntStream.range(0, 10 * PHASES)
        .mapToDouble(i -> slowness.of(i / 10, i % 10, 0, i % 200))
        .toArray();
  }

  private static double share(double[] values, double from, double to) {
    return Arrays.stream(values).filter(v -> v >= from && v < to).count() / (double) values.length;
  }

  @Test
  void quarterOfThePhasesHasMoreThanFifteenPercentOutliers() {
    double[] shares = IntStream.range(0, PHASES).mapToDouble(even::shareOfOutliers).toArray();
    assertThat(share(shares, 0.15, 1)).isCloseTo(0.25, within(0.01));
    assertThat(StatUtils.max(shares)).isEqualTo(0.5);
  }

  @Test
  void phaseHasTheOutliersThatItsShareSays() {
    int bad = 0;
    for (int phase = 0; phase < 2000; phase++) {
      int outliers = 0;
      for (int task = 0; task < 200; task++) {
        outliers += even.of(phase, task, 0, 0) > 1.5 ? 1 : 0;
      }
      bad += outliers > 0.15 * 200 ? 1 : 0;
    }
    assertThat(bad / 2000.0).isCloseTo(0.25, within(0.03));
  }

  @Test
  void dataExplainAllOutliersOfFortyPerCentOfThePhasesAndNoneOfEighteen() {
    PublishedSlowness skewed = new PublishedSlowness(1, phase -> true, 100, 0);
    double[] explained = IntStream.range(0, PHASES).mapToDouble(skewed::explainedByData).toArray();
    assertThat(share(explained, 1, 2)).isCloseTo(0.40, within(0.01));
    assertThat(share(explained, 0, Double.MIN_VALUE)).isCloseTo(0.18, within(0.01));
    assertThat(share(explained, 0.5, 1)).as("uniform between").isCloseTo(0.21, within(0.01));
  }

  @Test
  void whatHasMoreDataIsNotSlowToo() {
    PublishedSlowness skewed = new PublishedSlowness(1, phase -> phase % 2 == 0, 100, 0);
    int slow = 0;
    double expected = 0;
    for (int phase = 0; phase < PHASES; phase++) {
      boolean isSlow = skewed.of(phase, 3, 0, 0) > 1.5;
      boolean all = skewed.explainedByData(phase) == 1;
      assertThat(isSlow && all).as("phase %d", phase).isFalse();
      expected += skewed.shareOfOutliers(phase) * (1 - skewed.explainedByData(phase));
      slow += isSlow ? 1 : 0;
      if (phase % 2 == 1) {
        assertThat(skewed.of(phase, 3, 0, 0)).isEqualTo(even.of(phase, 3, 0, 0));
      }
    }
    assertThat(slow / expected).isCloseTo(1, within(0.06));
  }

  @Test
  void outliersAreAsLongAsPublished() {
    double[] outliers = Arrays.stream(attempts(even)).filter(f -> f > 1.5).toArray();
    assertThat(outliers.length).isGreaterThan(19_000);
    // A share of 20,000 is within 0.009 (three standard deviations).
    assertThat(share(outliers, 1.5, 2.5)).isCloseTo(0.8, within(0.009));
    assertThat(share(outliers, 1.5, 2)).as("uniform").isCloseTo(0.4, within(0.011));
    assertThat(share(outliers, 10, 101)).isCloseTo(0.1, within(0.007));
    assertThat(StatUtils.max(outliers)).isLessThanOrEqualTo(100);
  }

  @Test
  void othersAreWithinAFifthOfOne() {
    double[] others = Arrays.stream(attempts(even)).filter(f -> f < 1.5).toArray();
    assertThat(StatUtils.min(others)).isGreaterThanOrEqualTo(0.8);
    assertThat(StatUtils.max(others)).isLessThanOrEqualTo(1.2);
    assertThat(StatUtils.percentile(others, 50)).isCloseTo(1, within(0.005));
  }

  @Test
  void machinesDifferMildlyAndTheFiguresHoldWithThemToo() {
    PublishedSlowness slowness = new PublishedSlowness(1);
    double[] machines =
        IntStream.range(0, 5000)
            .mapToDouble(m -> Math.log(slowness.of(3, 4, 0, m) / even.of(3, 4, 0, m)))
            .toArray();
    assertThat(Math.sqrt(StatUtils.variance(machines))).isCloseTo(0.09, within(0.003));
    assertThat(StatUtils.mean(machines)).isCloseTo(0, within(0.004));
    double[] outliers = Arrays.stream(attempts(slowness)).filter(f -> f > 1.5).toArray();
    assertThat(share(outliers, 10, 1000)).isCloseTo(0.1, within(0.02));
  }

  @Test
  void luckIsOfTheAttemptAndNotOfTheMachineOrTheOrder() {
    assertThat(even.of(7, 1, 0, 3)).isEqualTo(even.of(7, 1, 0, 99));
    assertThat(even.of(7, 1, 0, 3)).isNotEqualTo(even.of(7, 1, 1, 3));
    assertThat(even.of(7, 1, 0, 3))
        .isEqualTo(new PublishedSlowness(1, EQUAL, 100, 0).of(7, 1, 0, 3));
    assertThat(even.of(7, 1, 0, 3))
        .isNotEqualTo(new PublishedSlowness(2, EQUAL, 100, 0).of(7, 1, 0, 3));
    assertThat(even.provenance()).anyMatch(s -> s.contains("not modelled"));
  }

  @Test
  void settingsHaveRanges() {
    assertThatIllegalArgumentException().isThrownBy(() -> new PublishedSlowness(1, EQUAL, 10, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new PublishedSlowness(1, EQUAL, 100, -1));
  }
}
