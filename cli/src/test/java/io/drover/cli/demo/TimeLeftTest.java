// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.Scenario;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimeLeftTest {

  @Test
  void nothingIsLeftAfterTheLastRun() {
    List<PlannedRun> plan = PlannedRun.of(SampleSources.options(1, Scenario.SLOW_NODE));
    TimeLeft time = new TimeLeft(plan);

    assertThat(time.secondsLeft()).isPositive();
    plan.forEach(run -> time.end(run, Duration.ofSeconds(30)));

    assertThat(time.secondsLeft()).isZero();
    assertThat(time.secondsDone()).isEqualTo(120);
    assertThat(time.done()).isEqualTo(4);
  }

  @Test
  void aRunIsExpectedToTakeWhatTheLastOfItsKindTook() {
    List<PlannedRun> plan = PlannedRun.of(SampleSources.options(2, Scenario.NONE));
    TimeLeft time = new TimeLeft(plan);

    time.end(plan.get(0), Duration.ofSeconds(31));
    time.end(plan.get(1), Duration.ofSeconds(33));

    assertThat(time.secondsLeft()).isEqualTo(64);
  }

  @Test
  void aRunThatGoesOnLongerIsJudgedByItsTasksProgress() {
    List<PlannedRun> plan = PlannedRun.of(SampleSources.options(2, Scenario.NONE));
    TimeLeft time = new TimeLeft(plan);
    time.end(plan.get(0), Duration.ofSeconds(30));
    time.end(plan.get(1), Duration.ofSeconds(30));

    time.job(progress(60, 1, 0)); // 0.7 of the job
    assertThat(time.secondsLeft()).isCloseTo(60 * 0.3 / 0.7 + 30, within(1e-9));

    time.job(progress(10, 0.1, 0)); // too early to tell
    assertThat(time.secondsLeft()).isCloseTo(20 + 30, within(1e-9));
  }

  private static JobProgress progress(double seconds, double maps, double reduces) {
    return new JobProgress(Duration.ofMillis(Math.round(seconds * 1000)), "RUNNING", maps, reduces);
  }
}
