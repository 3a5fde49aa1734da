// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.predict.FailureModel.Call;
import io.drover.core.predict.FailureModel.Reason;
import io.drover.core.predict.model.Method;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TrainingTest {
  private static final double NOW = 11 * PredictionData.DAY;

  private static TrainingSettings settings(Method method, double misjudged) {
    return new TrainingSettings(
        method,
        Set.of(FeatureSet.HISTORY),
        Duration.ofDays(10),
        Duration.ofMinutes(20),
        misjudged,
        100_000);
  }

  private static long ended(FailureModel model, List<EndedJob> jobs, boolean failed) {
    return jobs.stream()
        .filter(job -> job.hasFailed() == failed && job.seconds() > 1200)
        .filter(job -> model.call(job.features()).failing())
        .count();
  }

  @ParameterizedTest
  @EnumSource
  void failingJobsAreCalledAndFewGoodOnesAreEnded(Method method) {
    List<EndedJob> jobs = PredictionData.jobs(4000, 10, 10);
    FailureModel model = new Training(settings(method, 0.01)).train(jobs, NOW).orElseThrow();
    assertThat(ended(model, jobs, true)).isGreaterThan(360); // of 400
    assertThat(ended(model, jobs, false)).isLessThan(40); // 1 %
    assertThat(model.trainedOn().misjudged()).isLessThanOrEqualTo(0.01);
    assertThat(model.trainedOn().saved()).isGreaterThan(0.5);
    assertThat(model.importance().keySet().iterator().next())
        .isEqualTo("user: share of failed jobs");
  }

  @Test
  void reasonsAddUpToTheScore() {
    List<EndedJob> jobs = PredictionData.jobs(1000, 10, 10);
    FailureModel model = new Training(settings(Method.LR, 0.05)).train(jobs, NOW).orElseThrow();
    Call call = model.call(jobs.get(0).features());
    List<Reason> reasons = model.reasons(jobs.get(0).features());
    assertThat(reasons).hasSize(27);
    assertThat(reasons.get(0).feature()).isEqualTo("user: share of failed jobs");
    double sum = model.base() + reasons.stream().mapToDouble(Reason::adds).sum();
    assertThat(sum).isCloseTo(call.score(), within(1e-9));
  }

  @Test
  void nothingIsCalledWhileTooFewJobsTellWhatItCosts() {
    List<EndedJob> jobs = PredictionData.jobs(200, 10, 4); // 40 are checked, 1 of them is 2.5 %
    FailureModel model = new Training(settings(Method.LR, 0.01)).train(jobs, NOW).orElseThrow();
    assertThat(jobs).noneMatch(job -> model.call(job.features()).failing());
  }

  @Test
  void thereIsNoModelOfTooFewJobsOrOfOneClass() {
    Training training = new Training(settings(Method.LR, 0.01));
    assertThat(training.train(List.of(), NOW)).isEmpty();
    assertThat(training.train(PredictionData.jobs(40, 10, 10), NOW)).isEmpty();
    assertThat(training.train(PredictionData.jobs(1000, 10, 100_000), NOW)).isEmpty();
  }

  @Test
  void onlyTheWindowIsLookedAtAndNothingOfTheFuture() {
    List<EndedJob> jobs = PredictionData.jobs(4000, 20, 10);
    Training training = new Training(settings(Method.LR, 0.01));
    List<EndedJob> window = training.window(jobs, 15 * PredictionData.DAY);
    assertThat(window).isNotEmpty();
    assertThat(window.get(0).submittedAt()).isGreaterThanOrEqualTo(5 * PredictionData.DAY);
    assertThat(window).allMatch(job -> job.endedAt() <= 15 * PredictionData.DAY);
    TrainingSettings few =
        new TrainingSettings(
            Method.LR,
            EnumSet.allOf(FeatureSet.class),
            Duration.ofDays(10),
            Duration.ZERO,
            0.01,
            100);
    assertThat(new Training(few).window(jobs, 15 * PredictionData.DAY))
        .isEqualTo(window.subList(window.size() - 100, window.size()));
  }
}
