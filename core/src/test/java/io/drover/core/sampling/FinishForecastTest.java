// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FinishForecastTest {
  private static final int LEAST = SamplingSettings.KMN.leastFinished();

  private static FinishForecast.Running running(int task, double since) {
    return new FinishForecast.Running(task, since, OptionalDouble.empty());
  }

  private static double[] lognormal(Random random, int n) {
    double[] seconds = new double[n];
    Arrays.setAll(seconds, i -> Math.exp(3 + 0.5 * random.nextGaussian()));
    Arrays.sort(seconds);
    return seconds;
  }

  private static double[] constant(int n, double value) {
    double[] values = new double[n];
    Arrays.fill(values, value);
    return values;
  }

  @Test
  void fitOfAllIsMeanAndDeviationOfTheLogarithms() {
    double[] seconds = {Math.exp(1), Math.exp(2), Math.exp(3), Math.exp(2), Math.exp(2)};
    LogNormalDurations fit = LogNormalDurations.fit(seconds, new double[0], LEAST).orElseThrow();
    assertThat(fit.mu()).isCloseTo(2, within(1e-9));
    assertThat(fit.sigma()).isCloseTo(Math.sqrt(0.4), within(1e-9));
  }

  @Test
  void fitToTheFirstHalfKnowsOfTheOtherHalf() {
    Random random = new Random(1);
    double[] seconds = lognormal(random, 1000);
    double[] first = Arrays.copyOf(seconds, 500);
    LogNormalDurations fit =
        LogNormalDurations.fit(first, constant(500, first[499]), LEAST).orElseThrow();
    assertThat(fit.mu()).isCloseTo(3, within(0.1));
    assertThat(fit.sigma()).isCloseTo(0.5, within(0.1));
    LogNormalDurations blind = LogNormalDurations.fit(first, new double[0], LEAST).orElseThrow();
    assertThat(blind.mu()).isLessThan(2.7);
  }

  @Test
  void fitIsAMaximumOfTheLikelihood() {
    Random random = new Random(2);
    double[] seconds = lognormal(random, 60);
    double[] elapsed = random.doubles(20, 5, 40).toArray();
    LogNormalDurations fit = LogNormalDurations.fit(seconds, elapsed, LEAST).orElseThrow();
    double best = likelihood(fit.mu(), fit.sigma(), seconds, elapsed);
    for (double step : new double[] {-0.01, 0.01}) {
      assertThat(likelihood(fit.mu() + step, fit.sigma(), seconds, elapsed)).isLessThan(best);
      assertThat(likelihood(fit.mu(), fit.sigma() + step, seconds, elapsed)).isLessThan(best);
    }
  }

  private static double likelihood(double mu, double sigma, double[] done, double[] open) {
    var normal = new org.apache.commons.math3.distribution.NormalDistribution(null, mu, sigma);
    return Arrays.stream(done).map(t -> normal.logDensity(Math.log(t))).sum()
        + Arrays.stream(open)
            .map(t -> Math.log(1 - normal.cumulativeProbability(Math.log(t))))
            .sum();
  }

  @Test
  void fewFinishersAreNotFitted() {
    assertThat(LogNormalDurations.fit(constant(4, 7), new double[0], LEAST)).isEmpty();
    assertThat(LogNormalDurations.fit(new double[] {0, 0, 1, 2, 3}, new double[0], 5)).isEmpty();
  }

  @Test
  void tasksThatAreAllAlikeAreForecastAlikeAndOutliersNotAtAll() {
    LogNormalDurations fit =
        LogNormalDurations.fit(constant(10, 7), constant(2, 3), LEAST).orElseThrow();
    assertThat(fit.quantile(0.5, 3).orElseThrow()).isCloseTo(7, within(1e-3));
    assertThat(fit.quantile(0.5, 8)).isEmpty();
  }

  @Test
  void fitSurvivesATaskThatRunsAThousandTimesAsLong() {
    LogNormalDurations fit =
        LogNormalDurations.fit(new double[] {5, 6, 7, 8, 9}, new double[] {7000}, LEAST)
            .orElseThrow();
    assertThat(fit.mu()).isFinite();
    assertThat(fit.quantile(0.5, 7000).orElse(7001)).isGreaterThan(7000);
  }

  @Test
  void lastTenthIsForecastWithinAFewPercentInTheMiddle() {
    Random random = new Random(3);
    List<Double> errors = new ArrayList<>();
    for (int run = 0; run < 200; run++) {
      double[] seconds = lognormal(random, 110);
      double now = seconds[99];
      List<FinishForecast.Running> open = new ArrayList<>();
      for (int i = 100; i < 110; i++) {
        open.add(running(i, 0));
      }
      LogNormalDurations fit =
          LogNormalDurations.fit(Arrays.copyOf(seconds, 100), constant(10, now), LEAST)
              .orElseThrow();
      List<FinishForecast.Finish> forecast = FinishForecast.of(open, fit, now);
      assertThat(forecast).hasSize(10);
      errors.add(forecast.get(4).at() / seconds[104] - 1);
    }
    double mean = errors.stream().mapToDouble(e -> e).average().orElseThrow();
    double size = errors.stream().mapToDouble(Math::abs).average().orElseThrow();
    assertThat(mean).isBetween(-0.02, 0.02);
    assertThat(size).isLessThan(0.08);
  }

  @Test
  void tasksThatStartedTogetherAreSpreadOverTheDistribution() {
    PastDurations past = new PastDurations(new double[] {10, 20, 30, 40});
    List<FinishForecast.Finish> forecast =
        FinishForecast.of(List.of(running(1, 100), running(2, 100)), past, 115);
    assertThat(forecast).hasSize(2);
    assertThat(forecast.get(0).at()).isBetween(120.0, 130.0);
    assertThat(forecast.get(1).at()).isBetween(130.0, 140.0);
    assertThat(forecast.get(0).basis()).isEqualTo(FinishForecast.Basis.HISTORY);
  }

  @Test
  void tasksOwnProgressGoesBeforeEverything() {
    PastDurations past = new PastDurations(new double[] {10, 20});
    FinishForecast.Running known = new FinishForecast.Running(7, 0, OptionalDouble.of(200));
    FinishForecast.Running overdue = new FinishForecast.Running(8, 0, OptionalDouble.of(3));
    assertThat(FinishForecast.of(List.of(known, overdue), past, 5))
        .containsExactly(
            new FinishForecast.Finish(8, 5, FinishForecast.Basis.PROGRESS),
            new FinishForecast.Finish(7, 200, FinishForecast.Basis.PROGRESS));
  }

  @Test
  void taskThatOutlastsAllHistoryGetsNoForecast() {
    PastDurations past = new PastDurations(new double[] {20, 10});
    assertThat(FinishForecast.of(List.of(running(1, 0)), past, 20)).isEmpty();
    assertThat(past.quantile(0.5, 0)).hasValue(15);
    assertThat(past.quantile(0.99, 10)).hasValue(20);
  }

  @Test
  void badDurationsAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new PastDurations(new double[0]));
    assertThatIllegalArgumentException().isThrownBy(() -> new PastDurations(new double[] {-1}));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LogNormalDurations.fit(constant(9, 1 / 0.0), new double[0], 5));
  }
}
