// SPDX-License-Identifier: Apache-2.0
package io.drover.core.estimate;

import static io.drover.core.Herd.done;
import static io.drover.core.Herd.running;
import static io.drover.core.Herd.start;
import static io.drover.core.Herd.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.Herd;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.model.Evidence.Basis;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskKind;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RemainingTimeEstimatorTest {
  private static final Offset<Double> EXACT = within(1e-9);
  private final RemainingTimeEstimator estimator = new RemainingTimeEstimator();

  private double seconds(AttemptModel attempt, double now) {
    double seconds = estimator.seconds(attempt, now);
    assertThat(seconds).isNotNaN();
    return seconds;
  }

  @Test
  void remainingTimeIsElapsedTimesUnreadOverReadAndNotThePrintedTotal() {
    AttemptModel attempt = running(Herd.maps(), 0, 100, 40);
    double elapsed = 40;
    assertThat(seconds(attempt, 40)).isCloseTo(elapsed * 0.6 / 0.4, EXACT);
    assertThat(seconds(attempt, 40)).as("eq. (2) as printed gives 100").isNotEqualTo(100);
  }

  @Test
  void bytesCountWhereTheSizeIsKnown() {
    AttemptModel attempt = start(Herd.maps().addTask(1000), 0);
    for (int t = 0; t <= 40; t++) {
      attempt.report(t, SubPhase.MAP, 0, t * 10);
    }
    assertThat(seconds(attempt, 40)).isCloseTo(60, EXACT);
    assertThat(estimator.basis(attempt)).isEqualTo(Basis.BYTES);
  }

  @Test
  void theFractionCountsWhereItContradictsTheBytes() {
    AttemptModel attempt = start(Herd.maps().addTask(1000), 0);
    for (int t = 0; t <= 40; t++) {
      attempt.report(t, SubPhase.MAP, t / 100.0, t * 2); // skips four fifths of its split
    }
    assertThat(seconds(attempt, 40)).isCloseTo(60, EXACT);
    assertThat(estimator.basis(attempt)).isEqualTo(Basis.PROGRESS);
  }

  @Test
  void aColumnarReaderThatHasJustBegunDoesNotLookSlowOnceAnotherHasContradictedItsBytes() {
    PhaseModel phase = Herd.maps();
    AttemptModel first = start(phase.addTask(1000), 0);
    for (int t = 0; t <= 40; t++) {
      first.report(t, SubPhase.MAP, t / 100.0, t * 2);
    }
    AttemptModel second = start(phase.addTask(1000), 40);
    for (int t = 40; t <= 45; t++) {
      second.report(t, SubPhase.MAP, (t - 40) / 100.0, (t - 40) * 2);
    }
    assertThat(seconds(second, 45)).as("by bytes it would be 495").isCloseTo(95, EXACT);
  }

  @Test
  void theEstimateFallsWithTheClockBetweenReports() {
    AttemptModel attempt = running(Herd.maps(), 0, 100, 40);
    assertThat(seconds(attempt, 41)).isCloseTo(59, EXACT);
    assertThat(seconds(attempt, 41.5)).isCloseTo(58.5, EXACT);
  }

  @Test
  void theEstimateOfASilentTaskGrowsAndIsInfiniteAfterTheWindow() {
    AttemptModel attempt = running(Herd.maps(), 0, 100, 40);
    // One second overdue: 0.05 was done within the 6 s of the window (35, 41]. 0.6 / (0.05 / 6).
    assertThat(seconds(attempt, 42.5)).isCloseTo(72 - 1.5, EXACT);
    double before = 0;
    for (double now = 41.5; now < 47.5; now += 0.25) {
      assertThat(seconds(attempt, now)).isGreaterThan(before);
      before = seconds(attempt, now);
    }
    assertThat(seconds(attempt, 47.5)).isInfinite();
    assertThat(seconds(attempt, 1e6)).isInfinite();
  }

  @Test
  void oneThatAloneIsSilentHasStoppedWhenTwoOfItsReportsAreMissing() {
    PhaseModel phase = Herd.maps();
    List<AttemptModel> others = List.of(running(phase, 0, 100, 40), running(phase, 0, 100, 40));
    AttemptModel silent = running(phase, 0, 100, 40);
    for (int t = 41; t <= 43; t++) {
      for (AttemptModel other : others) {
        other.report(t, SubPhase.MAP, t / 100.0);
      }
    }
    assertThat(seconds(silent, 42.4)).isFinite();
    assertThat(seconds(silent, 42.5)).isInfinite();
    assertThat(seconds(others.get(0), 43.5)).isFinite();
  }

  @Test
  void silenceOfManyIsNoSignThatOneHasStopped() {
    PhaseModel phase = Herd.maps();
    for (int i = 0; i < 3; i++) {
      running(phase, 0, 100, 40);
    }
    AttemptModel heard = running(phase, 0, 100, 40);
    AttemptModel silent = running(phase, 0, 100, 40);
    for (int t = 41; t <= 43; t++) {
      heard.report(t, SubPhase.MAP, t / 100.0);
    }
    assertThat(seconds(silent, 43.5)).isFinite();
  }

  @Test
  void aTaskThatReportsNoProgressIsStoppedAfterTheWindow() {
    AttemptModel attempt = running(Herd.maps(), 0, 100, 40);
    for (int t = 41; t <= 47; t++) {
      attempt.report(t, SubPhase.MAP, 0.4);
      assertThat(seconds(attempt, t)).isFinite();
    }
    attempt.report(48, SubPhase.MAP, 0.4);
    assertThat(seconds(attempt, 48)).isInfinite();
    assertThat(attempt.silence(48)).isZero();
  }

  @Test
  void theMovingAverageForgetsAnOldPace() {
    AttemptModel attempt = running(Herd.maps(), 0, 100, 40);
    for (int t = 41; t <= 50; t++) {
      attempt.report(t, SubPhase.MAP, 0.4 + (t - 40) / 800.0);
    }
    assertThat(seconds(attempt, 50)).isCloseTo((1 - 0.4125) * 800, EXACT);
  }

  @Test
  void wrapUpIsTheMedianOfTheFinishedTasks() {
    PhaseModel phase = Herd.maps();
    for (double wrapUp : new double[] {6, 80, 7}) {
      AttemptModel finished = running(phase, 0, 100, 99);
      finished.enter(SubPhase.WRAP_UP, 100);
      finished.ended(AttemptState.SUCCEEDED, 100 + wrapUp);
    }
    assertThat(seconds(running(phase, 0, 100, 40), 40)).isCloseTo(67, EXACT);
  }

  @Test
  void wrapUpIsLearntWhereNobodySaysThatHeIsInIt() {
    PhaseModel phase = Herd.maps();
    running(phase, 0, 100, 100).ended(AttemptState.SUCCEEDED, 107);
    assertThat(phase.usualSecondsOrNaN(SubPhase.WRAP_UP, 1)).isEqualTo(7);
    assertThat(phase.usualSecondsOrNaN(SubPhase.MAP, 1)).isCloseTo(100, EXACT);
    assertThat(seconds(running(phase, 0, 100, 40), 40)).isCloseTo(67, EXACT);
  }

  @Test
  void anOverdueWrapUpIsExpectedToTakeAsMuchLongerAsItIsLate() {
    PhaseModel phase = Herd.maps();
    running(phase, 0, 100, 100).ended(AttemptState.SUCCEEDED, 107);
    AttemptModel says = running(phase, 0, 100, 99);
    says.enter(SubPhase.WRAP_UP, 100);
    AttemptModel saysNothing = running(phase, 0, 100, 100);
    for (AttemptModel attempt : new AttemptModel[] {says, saysNothing}) {
      assertThat(seconds(attempt, 103)).isCloseTo(4, EXACT);
      assertThat(seconds(attempt, 107)).isCloseTo(0, EXACT);
      assertThat(seconds(attempt, 137)).isCloseTo(30, EXACT);
      assertThat(estimator.basis(attempt)).isEqualTo(Basis.PEERS);
    }
  }

  @Test
  void aTaskThatHangsWithAllItsInputReadIsNoticedBeforeAnybodyHasWrappedUp() {
    PhaseModel phase = Herd.maps();
    AttemptModel attempt = running(phase, 0, 100, 100);
    assertThat(estimator.seconds(attempt, 160)).as("nobody has ended").isNaN();
    running(phase, 0, 100, 97).ended(AttemptState.SUCCEEDED, 100);
    assertThat(seconds(attempt, 160)).isCloseTo(60, EXACT);
  }

  @Test
  void aTaskThatIsNotHeardOfWhenPeersUsuallyAreHasStopped() {
    PhaseModel phase = Herd.maps();
    AttemptModel dead = start(phase.addTask(), 0);
    assertThat(estimator.seconds(dead, 1000)).as("nobody was heard of yet").isNaN();
    AttemptModel other = start(phase.addTask(), 0);
    other.report(4, SubPhase.MAP, 0);
    assertThat(estimator.seconds(dead, 9.5)).as("2.4 times 4").isNaN();
    assertThat(seconds(dead, 9.8)).isInfinite();
  }

  @Test
  void anAttemptThatWasStartingOnAMachineThatFellSilentIsNotWaitedForTwice() {
    PhaseModel phase = Herd.maps();
    AttemptModel usual = startOn(phase, "m", 0);
    usual.report(9, SubPhase.MAP, 0.01);
    List<AttemptModel> others =
        Stream.of("b", "c", "d").map(machine -> startOn(phase, machine, 1)).toList();
    AttemptModel dying = startOn(phase, "m", 30);
    AttemptModel slow = startOn(phase, "b", 30);
    for (int t = 10; t <= 45; t++) {
      for (AttemptModel other : others) {
        other.report(t, SubPhase.MAP, t / 100.0);
      }
      if (t <= 34) {
        usual.report(t, SubPhase.MAP, t / 100.0);
      }
    }
    assertThat(seconds(usual, 40)).isInfinite();
    assertThat(estimator.seconds(dying, 40.5)).as("9 is usual").isNaN();
    assertThat(seconds(dying, 42)).isInfinite();
    assertThat(estimator.seconds(slow, 45)).as("its machine is heard of").isNaN();

    usual.report(45, SubPhase.MAP, 0.4);
    assertThat(estimator.seconds(dying, 45)).as("it was only not heard").isNaN();
    usual.ended(AttemptState.KILLED, 46);
    assertThat(seconds(dying, 49)).as("nothing is due of what has ended").isFinite();
  }

  private static AttemptModel startOn(PhaseModel phase, String machine, double now) {
    AttemptModel attempt = phase.addTask().addAttempt(0, now);
    attempt.launched(now, machine);
    return attempt;
  }

  @Test
  void reportsThatAreMissingAfterTheFirstCountAsReportsWithoutProgress() {
    AttemptModel attempt = start(Herd.maps().addTask(), 0);
    attempt.report(2, SubPhase.MAP, 0.1);
    assertThat(estimator.seconds(attempt, 5.4)).as("1.5 + 1.9").isNaN();
    assertThat(seconds(attempt, 5.5)).as("0.1 in 2 s").isCloseTo(18 - 1.5, EXACT);
    assertThat(seconds(attempt, 9)).isFinite();
    assertThat(seconds(attempt, 9.6)).as("the window has passed").isInfinite();
  }

  @Test
  void whatWasDoneBeforeTheFirstReportTookTheUsualHeadStart() {
    PhaseModel phase = Herd.maps();
    AttemptModel usual = start(phase.addTask(), 0);
    for (int t = 4; t < 8; t++) {
      usual.report(t, SubPhase.MAP, (t - 3) / 10.0); // has worked for 1 s before its first report
    }
    AttemptModel attempt = start(phase.addTask(), 0);
    attempt.report(5, SubPhase.MAP, 0.1);
    assertThat(seconds(attempt, 8.5)).as("0.1 in 1 + 2 s").isCloseTo(0.9 * 30 - 1.5, EXACT);
  }

  @Test
  void anAttemptThatFellSilentOnEnteringItsSubPhaseHasStoppedOnceTheWindowHasPassed() {
    PhaseModel phase = Herd.reduces();
    phase.inputsReady(0);
    AttemptModel attempt = start(phase.addTask(), 0);
    attempt.enter(SubPhase.SORT, 10);
    attempt.enter(SubPhase.REDUCE, 12);
    assertThat(estimator.seconds(attempt, 19)).isNaN();
    assertThat(seconds(attempt, 19.6)).isInfinite();
  }

  @Test
  void tooFewReportsGiveNoEstimate() {
    AttemptModel attempt = start(Herd.maps().addTask(), 0);
    assertThat(estimator.seconds(attempt, 0)).isNaN();
    attempt.report(0, SubPhase.MAP, 0);
    attempt.report(1, SubPhase.MAP, 0.01);
    attempt.report(1, SubPhase.MAP, 0.01);
    attempt.report(1, SubPhase.MAP, 0.01);
    assertThat(estimator.seconds(attempt, 1)).as("repeated reports count once").isNaN();
    attempt.report(2, SubPhase.MAP, 0.02);
    assertThat(seconds(attempt, 2)).isCloseTo(98, EXACT);
  }

  @Test
  void onlyRunningAttemptsHaveARemainingTime() {
    PhaseModel phase = Herd.maps();
    AttemptModel asked = phase.addTask().addAttempt(0, 0);
    asked.report(1, SubPhase.MAP, 0.5);
    assertThat(estimator.seconds(asked, 1)).isNaN();
    AttemptModel ended = running(phase, 0, 100, 40);
    ended.ended(AttemptState.KILLED, 40);
    assertThat(estimator.seconds(ended, 40)).isNaN();
  }

  /** A record takes a minute. Meanwhile, there are reports every 10 s that show no progress. */
  @Test
  void lumpyProgressIsNotStoppedOnceThePhaseHasLearntTheGap() {
    EstimatorSettings tenSeconds = EstimatorSettings.withPeriod(Duration.ofSeconds(10));
    for (boolean pingsOnly : new boolean[] {false, true}) {
      PhaseModel phase = new PhaseModel(TaskKind.MAP, tenSeconds);
      lumps(start(phase.addTask(), 0), 0, 1200, pingsOnly);
      assertThat(phase.tick(SubPhase.MAP)).isCloseTo(60, EXACT);
      AttemptModel second = start(phase.addTask(), 1200);
      for (int now = 1200; now <= 2400; now += 10) {
        lumps(second, now, now, pingsOnly);
        double at = now;
        if (now >= 1320 && now < 2400) {
          assertThat(seconds(second, at)).isCloseTo(2400 - now, within(1e-6));
        } else {
          assertThat(estimator.seconds(second, at)).isNotEqualTo(Double.POSITIVE_INFINITY);
        }
      }
    }
  }

  private static void lumps(AttemptModel attempt, int from, int to, boolean pingsOnly) {
    for (int t = from; t <= to; t += 10) {
      if (t % 60 == 0 || !pingsOnly) {
        int minutes = (t - (int) attempt.launchedAt()) / 60;
        attempt.report(t, SubPhase.MAP, minutes * 0.05);
      }
    }
  }

  @Test
  void aReduceThatWaitsForMapsGetsNoEstimate() {
    PhaseModel phase = Herd.reduces();
    done(Herd.maps(), 1, 1, 10);
    AttemptModel reduce = start(phase.addTask(), 0);
    for (int t = 0; t <= 30; t++) {
      reduce.report(t, SubPhase.SHUFFLE, 0.01 * t);
    }
    assertThat(estimator.seconds(reduce, 30)).isNaN();
  }

  @Test
  void aReduceAddsWhatTheLaterSubPhasesTakeInProportionToItsData() {
    PhaseModel phase = Herd.reduces();
    phase.inputsReady(0);
    AttemptModel first = start(phase.addTask(1000), 0);
    first.report(0, SubPhase.SHUFFLE, 0);
    first.enter(SubPhase.SORT, 20);
    first.enter(SubPhase.REDUCE, 25);
    work(first, 25, 64, 40);
    first.enter(SubPhase.WRAP_UP, 65);
    first.ended(AttemptState.SUCCEEDED, 67);

    AttemptModel twice = start(phase.addTask(2000), 0);
    for (int t = 0; t <= 10; t++) {
      twice.report(t, SubPhase.SHUFFLE, t / 40.0);
    }
    double later = 2 * 5 + 2 * 40 + 2;
    assertThat(seconds(twice, 10)).isCloseTo(30 + later, EXACT);
    twice.enter(SubPhase.SORT, 40);
    assertThat(seconds(twice, 44)).isCloseTo(10 - 4 + 80 + 2, EXACT);
    twice.enter(SubPhase.REDUCE, 50);
    work(twice, 50, 60, 80);
    assertThat(seconds(twice, 60)).isCloseTo(70 + 2, EXACT);
  }

  @Test
  void aReduceWhoseMainSubPhaseNobodyHasSeenGetsNoEstimateBeforeIt() {
    PhaseModel phase = Herd.reduces();
    phase.inputsReady(0);
    AttemptModel reduce = start(phase.addTask(), 0);
    for (int t = 0; t <= 10; t++) {
      reduce.report(t, SubPhase.SHUFFLE, t / 40.0);
    }
    assertThat(estimator.seconds(reduce, 10)).isNaN();
  }

  @Test
  void theWaitForMapsIsForgottenWhenTheLastMapIsDone() {
    PhaseModel phase = Herd.reduces();
    phase.inputsReady(0);
    AttemptModel first = start(phase.addTask(), 0);
    first.enter(SubPhase.SORT, 1);
    first.enter(SubPhase.REDUCE, 2);
    work(first, 2, 41, 40);
    first.ended(AttemptState.SUCCEEDED, 42);
    phase.inputsNotReady();
    AttemptModel waits = start(phase.addTask(), 42);
    for (int t = 42; t <= 100; t++) {
      waits.report(t, SubPhase.SHUFFLE, 0.9);
    }
    phase.inputsReady(100.5);
    assertThat(estimator.seconds(waits, 100.5)).as("it did not stop, it waited").isNaN();
    waits.report(101.5, SubPhase.SHUFFLE, 0.92);
    waits.report(102.5, SubPhase.SHUFFLE, 0.94);
    assertThat(seconds(waits, 102.5)).isCloseTo(3 + 1 + 40, EXACT);
    assertThat(phase.tick(SubPhase.SHUFFLE)).as("waiting is no gap").isEqualTo(1);
  }
}
