// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.Herd;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Evidence.Basis;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of values without much behaviour of their own. */
class SmallValuesTest {

  @Test
  void aMeanOfNothingIsNothing() {
    assertThat(new RunningMean().orElse(7)).isEqualTo(7);
  }

  @Test
  void aMeanIsNotPoisonedByWhatIsNoNumber() {
    RunningMean mean = new RunningMean();
    mean.add(1);
    mean.add(Double.NaN);
    mean.add(Double.POSITIVE_INFINITY);
    mean.add(3);
    assertThat(mean.orElse(7)).isEqualTo(2);
  }

  @Test
  void settingsOutsideTheirRangeAreRefused() {
    Duration second = Duration.ofSeconds(1);
    assertThat(EstimatorSettings.withPeriod(Duration.ofMillis(500)).periodSeconds()).isEqualTo(0.5);
    assertThatThrownBy(() -> EstimatorSettings.withPeriod(Duration.ZERO))
        .hasMessageContaining("period");
    assertThatThrownBy(() -> new EstimatorSettings(second, 1, 3, 3))
        .hasMessageContaining("windowReports");
    assertThatThrownBy(() -> new EstimatorSettings(second, 6, 1, 3))
        .hasMessageContaining("minReports");
    assertThatThrownBy(() -> new EstimatorSettings(second, 6, 3, 0))
        .hasMessageContaining("minObservations");
  }

  @Test
  void lagIsTheWaitForASlotAndTheStartInIt() {
    SchedulingLag lag = new SchedulingLag();
    assertThat(lag.seconds(true)).isEmpty();
    lag.launched(2, false, false);
    lag.launched(10, false, true);
    lag.firstReport(1, false);
    lag.firstReport(3, false);
    assertThat(lag.seconds(true)).as("mean wait 6, recent start 1 + 0.3 * 2").hasValue(7.6);
    assertThat(lag.seconds(false)).as("shortest wait 2, lower quartile of starts 1").hasValue(3);
    lag.firstReport(4, true);
    assertThat(lag.seconds(false)).as("a copy's start").hasValue(6);
  }

  @Test
  void whatCopiesWaitedForInABusyClusterIsNotExpectedWhenSlotsIdle() {
    SchedulingLag lag = new SchedulingLag();
    lag.launched(2, false, false);
    lag.launched(600, true, true);
    assertThat(lag.seconds(true)).hasValue(600);
    assertThat(lag.seconds(false)).hasValue(2);
    lag.launched(5, true, false);
    assertThat(lag.seconds(false)).hasValue(5);
    lag.launched(15, true, false);
    assertThat(lag.seconds(false).getAsDouble()).as("0.3 of the latest").isCloseTo(8, within(1e-9));
  }

  @Test
  void whatWasHeldBackSaysOnlyThatASlotTookNoLonger() {
    SchedulingLag lag = new SchedulingLag();
    lag.launchedAfterHold(60);
    assertThat(lag.seconds(true)).hasValue(60);
    lag.launched(2, false, false);
    assertThat(lag.seconds(true)).hasValue(2);
    assertThat(lag.seconds(false)).hasValue(2);
  }

  @Test
  void aClockThatRanBackwardsCountsAsNoWait() {
    SchedulingLag lag = new SchedulingLag();
    lag.launched(-5, false, false);
    lag.launched(Double.NaN, false, false);
    lag.firstReport(-1, false);
    lag.firstReport(Double.NaN, false);
    assertThat(lag.seconds(true)).hasValue(0);
  }

  @Test
  void savingNeedsBothEstimates() {
    Evidence all = evidence(30, 10);
    assertThat(all.saving()).hasValue(20);
    assertThat(evidence(30, Double.NaN).saving()).isEmpty();
    assertThat(evidence(Double.NaN, 1).saving()).isEmpty();
    Evidence stopped = evidence(Double.POSITIVE_INFINITY, 10);
    assertThat(stopped.saving()).hasValue(Double.POSITIVE_INFINITY);
  }

  @Test
  void aDecisionExplainsItselfInOneLine() {
    TaskModel task = Herd.maps().addTask();
    Evidence known = evidence(30, 10);
    Decision decision = new Decision(1, task, Optional.empty(), Rule.COPY_SAVES_TIME, known);
    assertThat(decision.action()).isEqualTo(Action.DUPLICATE);
    assertThat(decision.explain())
        .startsWith("DUPLICATE: all tasks have begun")
        .contains("t_rem 30.0 s by BYTES, E[t_new] 10.0 s, threshold 3.00, copies 1");
    Evidence stopped = evidence(Double.POSITIVE_INFINITY, 10);
    assertThat(new Decision(1, task, Optional.empty(), Rule.ON_COURSE, stopped).explain())
        .contains("t_rem infinite (stopped)");
  }

  @Test
  void fetchPaceIsThatOfTheFastestStretchAndThenOfAllAfterTheLastMap() {
    FetchRate pace = new FetchRate();
    pace.begin(0, 0);
    assertThat(pace.fullSeconds()).isInfinite();
    pace.progress(4, 0.4, false);
    assertThat(pace.fullSeconds()).as("0.4 in 4 s").isEqualTo(10);
    pace.progress(64, 0.5, false);
    pace.progress(64.1, 0.51, false);
    assertThat(pace.fullSeconds()).as("slow and short stretches do not count").isEqualTo(10);
    pace.begin(70, 0.5);
    pace.progress(74, 0.52, true);
    assertThat(pace.fullSeconds()).as("too short").isEqualTo(10);
    pace.progress(75, 0.75, true);
    pace.progress(85, 1, true);
    assertThat(pace.fullSeconds()).as("a half in 15 s").isEqualTo(30);
  }

  private static Evidence evidence(double remaining, double fresh) {
    TaskModel task = Herd.maps().addTask();
    task.addAttempt(0, 0);
    return new Evidence(task, false, 0.5, remaining, Basis.BYTES, fresh, Double.NaN, 3, 4);
  }
}
