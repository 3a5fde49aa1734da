// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import static io.drover.core.Herd.done;
import static io.drover.core.Herd.running;
import static io.drover.core.Herd.start;
import static io.drover.core.Herd.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.Herd;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class PhaseModelTest {
  private static final Offset<Double> EXACT = within(1e-9);

  @Test
  void processRateIsSecondsPerByteOverFinishedAndRunningAttempts() {
    PhaseModel phase = Herd.maps();
    done(phase, 2, 1000, 50);
    running(phase, 500, 100, 20);
    assertThat(phase.processRates().all()).containsExactly(new double[] {0.05, 0.05, 0.2}, EXACT);
  }

  @Test
  void aRunningAttemptCountsOnceItHasDoneEnough() {
    PhaseModel phase = Herd.maps();
    running(phase, 0, 100, 4);
    assertThat(phase.processRates().all()).isEmpty();
    running(phase, 0, 100, 5);
    assertThat(phase.processRates().all()).hasSize(1);
  }

  @Test
  void aTaskWithoutASizeCountsAsOfMeanSize() {
    PhaseModel phase = Herd.maps();
    TaskModel unknown = phase.addTask();
    assertThat(phase.size(unknown)).isEqualTo(1);
    TaskModel negative = phase.addTask(-5);
    phase.addTask(100);
    phase.addTask(300);
    assertThat(phase.size(unknown)).isEqualTo(200);
    assertThat(phase.size(negative)).isEqualTo(200);
    unknown.inputBytes(800);
    unknown.inputBytes(0);
    assertThat(phase.size(unknown)).isEqualTo(200);
  }

  @Test
  void sizesThatComeLateHoldForWhatWasObservedBefore() {
    PhaseModel phase = Herd.maps();
    done(phase, 3, 0, 50);
    assertThat(phase.processRates().all())
        .as("seconds per task")
        .containsOnly(new double[] {50}, EXACT);
    phase.tasks().forEach(task -> task.inputBytes(1000));
    assertThat(phase.processRates().all())
        .as("seconds per byte")
        .containsOnly(new double[] {0.05}, EXACT);
    assertThat(phase.usualSecondsOrNaN(SubPhase.MAP, 2000)).isCloseTo(100, EXACT);
  }

  @Test
  void anAttemptThatStoppedDoesNotPoisonTheProcessRate() {
    PhaseModel phase = Herd.maps();
    AttemptModel stalled = running(phase, 0, 100, 40);
    for (int t = 41; t < 4000; t++) {
      stalled.report(t, SubPhase.MAP, 0.4);
    }
    assertThat(phase.processRates().all()).containsExactly(new double[] {100}, EXACT);
    stalled.ended(AttemptState.KILLED, 4000);
    assertThat(phase.processRates().all()).containsExactly(new double[] {100}, EXACT);
  }

  @Test
  void whatWasKilledStillTellsItsPace() {
    PhaseModel phase = Herd.maps();
    running(phase, 0, 800, 100).ended(AttemptState.KILLED, 100);
    assertThat(phase.processRates().all()).containsExactly(new double[] {800}, EXACT);
  }

  /** Adds a map whose reports, each second for 40 s, never show more than a tenth. */
  private static AttemptModel endsAtATenth(PhaseModel phase) {
    AttemptModel attempt = start(phase.addTask(), 0);
    work(attempt, 0, 39, 400);
    return attempt;
  }

  @Test
  void whatWasKilledTellsNoPaceWhereReportsMislead() {
    PhaseModel phase = Herd.maps();
    for (int i = 0; i < 3; i++) {
      endsAtATenth(phase).ended(AttemptState.SUCCEEDED, 40);
    }
    endsAtATenth(phase).ended(AttemptState.KILLED, 39);
    assertThat(phase.processRates().all()).containsExactly(new double[] {40, 40, 40}, EXACT);
  }

  @Test
  void reportsThatMisleadDoSoUpToALittleMoreThanWasSeenOfThem() {
    PhaseModel phase = Herd.maps();
    for (int i = 0; i < 3; i++) {
      endsAtATenth(phase).ended(AttemptState.SUCCEEDED, 40);
    }
    AttemptModel other = endsAtATenth(phase);
    other.report(40, SubPhase.MAP, 0.12);
    assertThat(phase.isMisleading(other)).isTrue();
    other.report(41, SubPhase.MAP, 0.9); // a file of another format, whose reader tells the truth
    assertThat(phase.isMisleading(other)).isFalse();
  }

  @Test
  void aMapThatWasNeverHeardOfTookItsWholeLife() {
    PhaseModel phase = Herd.maps();
    start(phase.addTask(), 10).ended(AttemptState.SUCCEEDED, 15);
    assertThat(phase.processRates().all()).containsExactly(5);
    assertThat(phase.schedulingLag().seconds(false)).as("start is part of it").hasValue(0);
  }

  @Test
  void aMapThatIsFirstHeardOfWhenItHasReadAllTookItsWholeLifeUntilThen() {
    PhaseModel phase = Herd.maps();
    AttemptModel exact = start(phase.addTask(), 10);
    exact.enter(SubPhase.WRAP_UP, 14);
    exact.report(15, SubPhase.WRAP_UP, 1);
    exact.ended(AttemptState.SUCCEEDED, 16);
    AttemptModel reported = start(phase.addTask(), 10);
    reported.report(14, SubPhase.MAP, 1);
    reported.ended(AttemptState.SUCCEEDED, 16);
    assertThat(phase.processRates().all()).containsExactly(4, 4);
    assertThat(phase.usualSecondsOrNaN(SubPhase.WRAP_UP, 1)).isEqualTo(2);
    assertThat(phase.schedulingLag().seconds(false)).hasValue(0);
  }

  @Test
  void aReduceThatIsDoneBeforeItWasHeardToReduceTeachesNothing() {
    PhaseModel phase = Herd.reduces();
    phase.inputsReady(0);
    start(phase.addTask(), 0).ended(AttemptState.SUCCEEDED, 50);
    AttemptModel shuffling = start(phase.addTask(), 0);
    shuffling.report(1, SubPhase.SHUFFLE, 0.5);
    shuffling.ended(AttemptState.SUCCEEDED, 50);
    assertThat(phase.processRates().all()).isEmpty();
    assertThat(phase.usualSecondsOrNaN(SubPhase.SHUFFLE, 1)).isNaN();
    assertThat(phase.done()).isEqualTo(2);
  }

  @Test
  void theShuffleOfACopyDoesNotTakeTheTimeThatOthersWaitedForMaps() {
    PhaseModel phase = Herd.reduces();
    AttemptModel early = start(phase.addTask(), 0);
    early.report(4, SubPhase.SHUFFLE, 0.4); // from maps that were done already, in 4 s
    for (int t = 5; t <= 600; t++) {
      early.report(t, SubPhase.SHUFFLE, 0.4 + 0.6 * t / 601);
    }
    phase.inputsReady(600);
    early.enter(SubPhase.SORT, 601);
    assertThat(phase.usualSecondsOrNaN(SubPhase.SHUFFLE, 1)).isCloseTo(10, EXACT);
  }

  /** One report of a shuffle that did not wait shows 20 % in 3 s; all of it took 60 s. */
  @Test
  void aLateShuffleTakesItsWholeTimeAndNotThatOfItsFastestPart() {
    PhaseModel phase = Herd.reduces();
    phase.inputsReady(0);
    AttemptModel late = start(phase.addTask(), 0);
    for (int t = 0; t < 60; t += 3) {
      late.report(t, SubPhase.SHUFFLE, t < 30 ? t / 75.0 : 0.2 + t / 75.0);
    }
    late.enter(SubPhase.SORT, 60);
    assertThat(phase.usualSecondsOrNaN(SubPhase.SHUFFLE, 1)).isCloseTo(60, EXACT);
  }

  @Test
  void whatIsFetchedAfterTheLastMapShowsThePaceOfAShuffle() {
    PhaseModel phase = Herd.reduces();
    AttemptModel early = start(phase.addTask(), 0);
    early.report(0.1, SubPhase.SHUFFLE, 0.5);
    phase.inputsReady(100);
    for (int t = 103; t < 130; t += 3) {
      early.report(t, SubPhase.SHUFFLE, t < 115 ? 0.5 : 0.8);
    }
    early.enter(SubPhase.SORT, 130);
    assertThat(phase.usualSecondsOrNaN(SubPhase.SHUFFLE, 1))
        .as("a half in 30 s")
        .isCloseTo(60, EXACT);
  }

  @Test
  void aShuffleThatWasDoneBeforeTheLastMapWasNoticedShowsItsPaceBefore() {
    PhaseModel phase = Herd.reduces();
    AttemptModel early = start(phase.addTask(), 0);
    early.report(10, SubPhase.SHUFFLE, 0.5);
    early.report(90, SubPhase.SHUFFLE, 0.9);
    phase.inputsReady(100);
    early.enter(SubPhase.SORT, 95);
    assertThat(phase.usualSecondsOrNaN(SubPhase.SHUFFLE, 1))
        .as("a half in 10 s")
        .isCloseTo(20, EXACT);
  }

  @Test
  void thatMapsEndMinutesApartDoesNotDelayTheNewsOfAFetchThatStops() {
    PhaseModel phase = Herd.reduces();
    List<AttemptModel> fetching = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      fetching.add(start(phase.addTask(), 0));
    }
    for (int t = 0; t <= 600; t++) {
      for (AttemptModel attempt : fetching) {
        attempt.report(t, SubPhase.SHUFFLE, t / 60 * 0.05); // a map ends each minute
      }
    }
    phase.inputsReady(600);
    for (int t = 601; t <= 615; t++) {
      for (AttemptModel attempt : fetching.subList(1, 4)) {
        attempt.report(t, SubPhase.SHUFFLE, 0.5 + (t - 600) / 60.0);
      }
    }
    assertThat(phase.liveness().hasStopped(fetching.get(0), 615)).isTrue();
  }

  @Test
  void subPhasesThatAreSkippedTeachNothing() {
    PhaseModel phase = Herd.reduces();
    phase.inputsReady(0);
    AttemptModel reduce = start(phase.addTask(), 0);
    reduce.report(2, SubPhase.SHUFFLE, 0.2);
    reduce.report(10, SubPhase.REDUCE, 0);
    assertThat(phase.usualSecondsOrNaN(SubPhase.SORT, 1)).isNaN();
    work(reduce, 10, 29, 20);
    reduce.ended(AttemptState.SUCCEEDED, 30);
    assertThat(phase.processRates().all()).containsExactly(new double[] {20}, EXACT);
  }

  @Test
  void aReduceSubPhaseWithoutReportsTookItsTime() {
    PhaseModel phase = Herd.reduces();
    AttemptModel reduce = start(phase.addTask(), 0);
    reduce.enter(SubPhase.SORT, 5);
    reduce.enter(SubPhase.REDUCE, 6);
    reduce.ended(AttemptState.SUCCEEDED, 9);
    assertThat(phase.processRates().all()).containsExactly(3);
  }

  @Test
  void runningTasksAreThoseWithARunningAttemptThatAreNotDone() {
    PhaseModel phase = Herd.maps();
    AttemptModel a = start(phase.addTask(), 0);
    AttemptModel b = start(phase.addTask(), 0);
    AttemptModel copy = start(a.task(), 1);
    phase.addTask().addAttempt(0, 0);
    assertThat(phase.running()).containsExactlyInAnyOrder(a.task(), b.task());
    a.ended(AttemptState.KILLED, 2);
    assertThat(phase.running()).contains(a.task());
    copy.ended(AttemptState.SUCCEEDED, 3);
    assertThat(phase.running()).containsExactly(b.task());
    assertThat(phase.done()).isEqualTo(1);
    a.task().doneBefore();
    assertThat(phase.done()).isEqualTo(1);
  }

  @Test
  void aTaskWhoseOutputWasLostRunsAgain() {
    PhaseModel phase = Herd.maps();
    AttemptModel first = start(phase.addTask(), 0);
    AttemptModel slower = start(first.task(), 0);
    first.ended(AttemptState.SUCCEEDED, 5);
    first.task().committing(true);
    first.task().undone();
    assertThat(first.task().isDone()).isFalse();
    assertThat(first.task().isCommitting()).isFalse();
    assertThat(phase.running()).as("the other attempt still runs").containsExactly(first.task());
    slower.ended(AttemptState.SUCCEEDED, 9);
    first.task().undone();
    first.task().undone();
    assertThat(phase.done()).isZero();
    start(first.task(), 10);
    assertThat(phase.running()).hasSize(1);
  }

  @Test
  void anAttemptLaunchedAfterItsTaskIsDoneDoesNotRunIt() {
    PhaseModel phase = Herd.maps();
    TaskModel task = phase.addTask();
    AttemptModel late = task.addAttempt(0, 0);
    task.doneBefore();
    late.launched(5, "m");
    assertThat(phase.running()).isEmpty();
    late.ended(AttemptState.KILLED, 6);
    assertThat(task.copies()).isZero();
    assertThat(task.runningCopies()).isZero();
  }

  @Test
  void onlyWhatWasAskedForAWhileAgoWaits() {
    PhaseModel phase = Herd.maps();
    phase.addTask();
    start(phase.addTask(), 0);
    assertThat(Demand.doTasksWait(phase, 12, 3)).isFalse();
    phase.addTask().addAttempt(0, 8);
    assertThat(Demand.doTasksWait(phase, 10, 3)).isFalse();
    assertThat(Demand.doTasksWait(phase, 12, 3)).isTrue();
    assertThat(phase.hasPending()).isTrue();
  }

  @Test
  void pendingTasksAreCountedThroughAllTheirStates() {
    PhaseModel phase = Herd.maps();
    TaskModel task = phase.addTask();
    AttemptModel first = task.addAttempt(0, 0);
    assertThat(phase.hasPending()).isTrue();
    first.launched(1, "m");
    assertThat(phase.hasPending()).isFalse();
    first.ended(AttemptState.KILLED, 2);
    assertThat(phase.hasPending()).as("nothing is asked for").isFalse();
    AttemptModel second = task.addAttempt(1, 2);
    assertThat(phase.hasPending()).isTrue();
    second.ended(AttemptState.KILLED, 3);
    assertThat(phase.hasPending()).isFalse();
    task.addAttempt(2, 3);
    task.doneBefore();
    assertThat(phase.hasPending()).isFalse();
    task.undone();
    assertThat(phase.hasPending()).isTrue();
  }

  /** The task was preempted while none waited, and got its next container after ten minutes. */
  @Test
  void aSecondAttemptThatReplacesTheFirstSaysNothingAboutTheWaitOfCopies() {
    for (PhaseModel phase : List.of(Herd.maps(), Herd.reduces())) {
      TaskModel task = phase.addTask(1000);
      start(task, 0).ended(AttemptState.KILLED, 10);
      task.addAttempt(1, 10).launched(610, "m1");
      assertThat(phase.schedulingLag().seconds(false)).hasValue(0);
      task.addAttempt(2, 620).launched(624, "m2");
      assertThat(phase.schedulingLag().seconds(false)).as("a copy's wait").hasValue(4);
    }
  }

  @Test
  void anAttemptLaunchedBeforeItWasKnownSaysNothingAboutWaits() {
    PhaseModel phase = Herd.maps();
    for (int i = 0; i < 5; i++) {
      phase.addTask(1000).addAttempt(0, 100).launched(50, "m" + i);
    }
    phase.schedulingLag().launchedAfterHold(600);
    assertThat(phase.schedulingLag().seconds(false)).as("no other is known").hasValue(0);
    phase.addTask(1000).addAttempt(0, 100).launched(400, "m9");
    assertThat(phase.schedulingLag().seconds(true)).hasValue(300);
    assertThat(phase.schedulingLag().seconds(false)).hasValue(300);
  }
}
