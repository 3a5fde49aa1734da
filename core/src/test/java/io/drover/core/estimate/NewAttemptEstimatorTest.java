// SPDX-License-Identifier: Apache-2.0
package io.drover.core.estimate;

import static io.drover.core.Herd.done;
import static io.drover.core.Herd.start;
import static io.drover.core.Herd.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.Herd;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import java.time.Duration;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class NewAttemptEstimatorTest {
  private static final EstimatorSettings THREE_NEEDED =
      new EstimatorSettings(Duration.ofSeconds(1), 6, 3, 3);
  private static final Offset<Double> EXACT = within(1e-9);

  private static NewAttemptTime estimate(PhaseModel phase, TaskModel task) {
    return new NewAttemptEstimator(phase, false).estimate(task).orElseThrow();
  }

  @Test
  void tooFewObservationsGiveNoEstimate() {
    PhaseModel phase = new PhaseModel(TaskKind.MAP, THREE_NEEDED);
    done(phase, 2, 1000, 50);
    NewAttemptEstimator two = new NewAttemptEstimator(phase, false);
    assertThat(two.observations()).isEqualTo(2);
    assertThat(two.estimate(phase.addTask(1000))).isEmpty();
    done(phase, 1, 1000, 50);
    assertThat(new NewAttemptEstimator(phase, false).estimate(phase.addTask(1000))).isPresent();
  }

  @Test
  void newTimeIsProcessRateTimesDataPlusLag() {
    PhaseModel phase = Herd.maps();
    for (double full : new double[] {40, 50, 60}) {
      AttemptModel attempt = phase.addTask(1000).addAttempt(0, 0);
      attempt.launched(2, "m"); // waited 2 s for its slot
      for (int t = 0; t < full; t++) {
        attempt.report(5 + t, SubPhase.MAP, t / full); // first report 3 s after the launch
      }
      attempt.ended(AttemptState.SUCCEEDED, 5 + full);
    }
    TaskModel twice = phase.addTask(2000);
    NewAttemptTime time = new NewAttemptEstimator(phase, false).estimate(twice).get();
    assertThat(time.mean()).isCloseTo(2 * 50 + 5, EXACT);
  }

  @Test
  void whatHasBeenDoneWhenAnAttemptIsFirstHeardOfIsWorkAndNoLag() {
    PhaseModel phase = Herd.maps();
    for (int i = 0; i < 3; i++) {
      AttemptModel attempt = start(phase.addTask(1000), 0);
      for (int t = 4; t < 53; t++) {
        attempt.report(t, SubPhase.MAP, (t - 3) / 50.0); // works from 3 s on, reports from 4 s on
      }
      attempt.ended(AttemptState.SUCCEEDED, 53);
    }
    assertThat(estimate(phase, phase.addTask(1000)).mean()).isCloseTo(53, EXACT);
  }

  @Test
  void probabilityIsThatOfTheObservedRatesAndStrict() {
    PhaseModel phase = Herd.maps();
    for (double full : new double[] {40, 50, 50, 60}) {
      done(phase, 1, 0, full);
    }
    NewAttemptTime time = estimate(phase, phase.addTask());
    assertThat(time.probabilityBelow(39)).isZero();
    assertThat(time.probabilityBelow(40.001)).isEqualTo(0.25);
    assertThat(time.probabilityBelow(50)).isEqualTo(0.25);
    assertThat(time.probabilityBelow(50.001)).isEqualTo(0.75);
    assertThat(time.probabilityBelow(61)).isEqualTo(1);
    assertThat(time.probabilityBelow(-1)).isZero();
    assertThat(time.probabilityBelow(Double.POSITIVE_INFINITY)).isEqualTo(1);
    assertThat(time.probabilityBelow(Double.NEGATIVE_INFINITY)).isZero();
  }

  @Test
  void whatWasSeenOnATasksOwnMachinesIsLeftOutOfItsDistribution() {
    PhaseModel phase = Herd.maps();
    done(phase, 2, 1000, 4);
    AttemptModel here = phase.addTask(1000).addAttempt(0, 0);
    AttemptModel beside = phase.addTask(1000).addAttempt(0, 0);
    for (AttemptModel slow : new AttemptModel[] {here, beside}) {
      slow.launched(0, "slow machine");
      work(slow, 0, 8, 32);
    }
    NewAttemptTime elsewhere = estimate(phase, here.task());
    assertThat(elsewhere.observations()).isEqualTo(2);
    assertThat(elsewhere.mean()).isCloseTo(4, EXACT);
    assertThat(elsewhere.probabilityBelow(4.001)).isEqualTo(1);
    NewAttemptTime anywhere = estimate(phase, phase.addTask(1000));
    assertThat(anywhere.observations()).isEqualTo(4);
    assertThat(anywhere.mean()).isCloseTo(18, EXACT);
    assertThat(anywhere.probabilityBelow(4.001)).isEqualTo(0.5);
  }

  @Test
  void aMachineWithTwoAttemptsOfATaskIsLeftOutOnce() {
    PhaseModel phase = Herd.maps();
    done(phase, 4, 1000, 4);
    TaskModel task = phase.addTask(1000);
    for (int i = 0; i < 2; i++) {
      AttemptModel attempt = task.addAttempt(i, 0);
      attempt.launched(0, "the only one with room");
      work(attempt, 0, 8, 32);
    }
    NewAttemptTime elsewhere = estimate(phase, task);
    assertThat(elsewhere.observations()).isEqualTo(4);
    assertThat(elsewhere.mean()).isCloseTo(4, EXACT);
  }

  @Test
  void inALargePhaseOneMachineMakesNoDifferenceAndIsNotLeftOut() {
    PhaseModel phase = Herd.maps();
    done(phase, 100, 1000, 4);
    AttemptModel here = phase.addTask(1000).addAttempt(0, 0);
    here.launched(0, "slow machine");
    work(here, 0, 8, 32);
    assertThat(estimate(phase, here.task()).observations()).isEqualTo(101);
    AttemptModel beside = phase.addTask(1000).addAttempt(0, 0);
    beside.launched(0, "slow machine");
    work(beside, 0, 8, 32);
    assertThat(estimate(phase, here.task()).observations()).as("2 %").isEqualTo(100);
  }

  @Test
  void aTasksOwnMachineCountsWhereTooLittleIsKnownOfOthers() {
    PhaseModel phase = new PhaseModel(TaskKind.MAP, THREE_NEEDED);
    done(phase, 1, 1000, 4);
    AttemptModel here = phase.addTask(1000).addAttempt(0, 0);
    here.launched(0, "slow machine");
    work(here, 0, 8, 32);
    AttemptModel beside = phase.addTask(1000).addAttempt(0, 0);
    beside.launched(0, "slow machine");
    work(beside, 0, 8, 32);
    assertThat(estimate(phase, here.task()).observations()).isEqualTo(3);
  }

  @Test
  void wrapUpBelongsToANewAttemptAsToAnOldOne() {
    PhaseModel phase = Herd.maps();
    for (int i = 0; i < 3; i++) {
      AttemptModel attempt = start(phase.addTask(), 0);
      work(attempt, 0, 49, 50);
      attempt.enter(SubPhase.WRAP_UP, 50);
      attempt.ended(AttemptState.SUCCEEDED, 57);
    }
    assertThat(estimate(phase, phase.addTask()).mean()).isCloseTo(57, EXACT);
  }

  @Test
  void aReduceCarriesItsShuffleAndItsMerge() {
    PhaseModel phase = Herd.reduces();
    phase.inputsReady(0);
    for (int i = 0; i < 3; i++) {
      AttemptModel attempt = start(phase.addTask(1000), 0);
      attempt.report(0, SubPhase.SHUFFLE, 0);
      attempt.enter(SubPhase.SORT, 20);
      attempt.enter(SubPhase.REDUCE, 25);
      work(attempt, 25, 64, 40);
      attempt.ended(AttemptState.SUCCEEDED, 65);
    }
    assertThat(estimate(phase, phase.addTask(3000)).mean()).isCloseTo(3 * 65, EXACT);
  }
}
