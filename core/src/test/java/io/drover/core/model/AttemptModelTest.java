// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import static io.drover.core.Herd.start;
import static io.drover.core.Herd.work;
import static java.lang.Double.NaN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.Herd;
import io.drover.core.model.Evidence.Basis;
import org.junit.jupiter.api.Test;

class AttemptModelTest {
  private final PhaseModel phase = Herd.maps();

  private AttemptModel running(double until) {
    AttemptModel attempt = start(phase.addTask(), 0);
    work(attempt, 0, until, 100);
    return attempt;
  }

  @Test
  void whatIsNotLaunchedTakesNoReports() {
    AttemptModel attempt = phase.addTask().addAttempt(0, 0);
    attempt.report(1, SubPhase.MAP, 0.5);
    attempt.enter(SubPhase.WRAP_UP, 1);
    assertThat(attempt.work()).isZero();
    assertThat(attempt.lastReportAt()).isNaN();
    assertThat(attempt.subPhase()).isEqualTo(SubPhase.MAP);
    assertThat(attempt.machine()).isEmpty();
  }

  @Test
  void theMachineIsThatOfTheLaunch() {
    AttemptModel attempt = phase.addTask().addAttempt(0, 0);
    attempt.assigned("a");
    assertThat(attempt.machine()).contains("a");
    attempt.launched(1, "b");
    attempt.assigned("c");
    attempt.launched(2, "d");
    assertThat(attempt.machine()).contains("b");
    assertThat(attempt.launchedAt()).isEqualTo(1);
    assertThat(phase.running()).hasSize(1);
  }

  @Test
  void anUnknownMachineIsUnknown() {
    AttemptModel attempt = phase.addTask().addAttempt(0, 0);
    attempt.launched(1, null);
    assertThat(attempt.machine()).isEmpty();
    attempt.task().restarted(attempt);
    assertThat(attempt.task().kills()).isEqualTo(1);
  }

  @Test
  void reportsOutOfOrderAreLeftOut() {
    AttemptModel attempt = running(40);
    attempt.report(39, SubPhase.MAP, 0.9);
    assertThat(attempt.work()).isEqualTo(0.4);
    attempt.enter(SubPhase.WRAP_UP, 41);
    attempt.report(42, SubPhase.MAP, 0.41);
    assertThat(attempt.subPhase()).isEqualTo(SubPhase.WRAP_UP);
    assertThat(attempt.lastReportAt()).isEqualTo(40);
  }

  @Test
  void garbageChangesNothing() {
    AttemptModel attempt = running(40);
    attempt.report(Double.NaN, SubPhase.MAP, 0.9);
    attempt.report(Double.POSITIVE_INFINITY, SubPhase.MAP, 0.9);
    attempt.report(41, SubPhase.REDUCE, 0.9); // a map does not reduce
    attempt.report(41, SubPhase.SHUFFLE, 0.9);
    attempt.enter(SubPhase.WRAP_UP, Double.NaN);
    assertThat(attempt.lastReportAt()).isEqualTo(40);
    assertThat(attempt.pace().rateOrNaN(40)).isCloseTo(0.01, within(1e-12));
  }

  @Test
  void aFractionThatIsNoNumberIsASignOfLifeWithoutProgress() {
    AttemptModel attempt = running(40);
    attempt.report(41, SubPhase.MAP, Double.NaN);
    attempt.report(42, SubPhase.MAP, Double.NEGATIVE_INFINITY);
    assertThat(attempt.work()).isEqualTo(0.4);
    assertThat(attempt.lastReportAt()).isEqualTo(42);
    assertThat(attempt.silence(43)).isZero();
  }

  @Test
  void fractionsAreClipped() {
    AttemptModel attempt = start(phase.addTask(), 0);
    attempt.report(0, SubPhase.MAP, -3);
    assertThat(attempt.work()).isZero();
    attempt.report(1, SubPhase.MAP, 1.7);
    assertThat(attempt.work()).isEqualTo(1);
    assertThat(attempt.pace().workDoneAt()).isEqualTo(1);
  }

  @Test
  void progressThatFallsBackALittleIsNoProgressAndByMuchABeginning() {
    AttemptModel attempt = running(40);
    attempt.report(41, SubPhase.MAP, 0.39);
    assertThat(attempt.work()).isEqualTo(0.4);
    attempt.report(42, SubPhase.MAP, 0.1);
    assertThat(attempt.work()).isEqualTo(0.1);
    assertThat(attempt.pace().rateOrNaN(42)).as("too few reports since").isNaN();
    attempt.report(43, SubPhase.MAP, 0.12);
    attempt.report(44, SubPhase.MAP, 0.14);
    assertThat(attempt.pace().rateOrNaN(44)).isCloseTo(0.02, within(1e-12));
  }

  @Test
  void nothingIsLearntFromWhatComesAfterTheEnd() {
    AttemptModel attempt = running(40);
    attempt.ended(AttemptState.KILLED, 41);
    int observed = phase.processRates().all().length;
    attempt.report(42, SubPhase.MAP, 0.9);
    attempt.enter(SubPhase.WRAP_UP, 42);
    attempt.ended(AttemptState.SUCCEEDED, 43);
    assertThat(phase.processRates().all()).hasSize(observed).hasSize(1);
    assertThat(attempt.state()).isEqualTo(AttemptState.KILLED);
    assertThat(attempt.endedAt()).isEqualTo(41);
    assertThat(phase.done()).isZero();
  }

  @Test
  void anAttemptDoesNotEndInALivingState() {
    AttemptModel attempt = running(1);
    assertThatThrownBy(() -> attempt.ended(AttemptState.RUNNING, 2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anEndBeforeTheLastReportIsAtTheLastReport() {
    AttemptModel attempt = running(40);
    attempt.ended(AttemptState.SUCCEEDED, 3);
    assertThat(attempt.endedAt()).isEqualTo(40);
    assertThat(phase.processRates().all()).containsExactly(40);
  }

  @Test
  void aFlickeringByteCountDoesNotHideThePace() {
    TaskModel task = phase.addTask(1000);
    AttemptModel attempt = start(task, 0);
    for (int t = 0; t <= 20; t++) {
      attempt.report(t, SubPhase.MAP, t / 100.0, t % 2 == 0 ? t * 10 : 0);
    }
    assertThat(attempt.basis()).isEqualTo(Basis.PROGRESS);
    assertThat(attempt.pace().rateOrNaN(20)).isCloseTo(0.01, within(1e-12));
  }

  @Test
  void aReportWithoutBytesOrFractionIsASignOfLifeForAReaderThatOnlyCountsBytes() {
    AttemptModel attempt = start(phase.addTask(1000), 0);
    for (int t = 0; t <= 20; t++) {
      attempt.report(t, SubPhase.MAP, 0, t % 5 == 4 ? 0 : t * 10);
    }
    assertThat(attempt.basis()).isEqualTo(Basis.BYTES);
    assertThat(attempt.pace().rateOrNaN(20)).isCloseTo(0.01, within(1e-12));
  }

  @Test
  void bytesOfAWrapUpContradictNothing() {
    AttemptModel attempt = start(phase.addTask(1000), 0);
    attempt.report(10, SubPhase.WRAP_UP, 0.7, 1000);
    assertThat(phase.reportedProgress().doBytesMislead()).isFalse();
  }

  @Test
  void bytesOfATaskOfUnknownSizeAreNotUsed() {
    AttemptModel attempt = start(phase.addTask(), 0);
    attempt.report(0, SubPhase.MAP, 0.1, 500);
    assertThat(attempt.basis()).isEqualTo(Basis.PROGRESS);
    attempt.task().inputBytes(1000);
    attempt.report(1, SubPhase.MAP, 0.2, 200);
    assertThat(attempt.basis()).as("the size came late").isEqualTo(Basis.BYTES);
    assertThat(attempt.work()).isEqualTo(0.2);
  }

  @Test
  void whatAReduceWillHaveFetchedIsKnownBeforeAllMapsAreDone() {
    PhaseModel reduces = Herd.reduces();
    AttemptModel attempt = start(reduces.addTask(), 0);
    attempt.task().fetched(10, 0);
    assertThat(attempt.task().inputBytes()).isEmpty();
    attempt.task().fetched(300, 0.25);
    assertThat(attempt.task().inputBytes()).hasValue(1200);
    attempt.task().fetched(300, Double.NaN);
    attempt.task().fetched(0, 0.5);
    assertThat(attempt.task().inputBytes()).hasValue(1200);
    new ProgressReport(1, SubPhase.SHUFFLE, 0.5, 0, 650, NaN, NaN, NaN).tell(attempt);
    assertThat(attempt.task().inputBytes()).hasValue(1300);
    attempt.enter(SubPhase.SORT, 9);
    new ProgressReport(10, SubPhase.SHUFFLE, 1, 0, 1, NaN, NaN, NaN).tell(attempt);
    assertThat(attempt.task().inputBytes()).hasValue(1300);
  }

  @Test
  void theEarlyBytesOfACopyDoNotReplaceTheSizeThatIsKnown() {
    TaskModel reduce = Herd.reduces().addTask();
    AttemptModel first = start(reduce, 0);
    AttemptModel copy = start(reduce, 5);
    new ProgressReport(6, SubPhase.SHUFFLE, 0.5, 0, 600, NaN, NaN, NaN).tell(first);
    new ProgressReport(6, SubPhase.SHUFFLE, 0.1, 0, 20, NaN, NaN, NaN).tell(copy);
    assertThat(reduce.inputBytes()).as("by half of it").hasValue(1200);
    new ProgressReport(10, SubPhase.SORT, 0, 0, 1000, NaN, 9, NaN).tell(first);
    new ProgressReport(11, SubPhase.SHUFFLE, 0.6, 0, 720, NaN, NaN, NaN).tell(copy);
    assertThat(reduce.inputBytes()).as("by all of it").hasValue(1000);
  }

  @Test
  void aLaterSubPhaseCannotBeginBeforeThePresentOne() {
    PhaseModel reduces = Herd.reduces();
    reduces.inputsReady(0);
    AttemptModel attempt = start(reduces.addTask(), 10);
    attempt.enter(SubPhase.SORT, 15);
    attempt.enter(SubPhase.REDUCE, 12);
    assertThat(attempt.subPhaseStartedAt()).isEqualTo(15);
    assertThat(reduces.usualSecondsOrNaN(SubPhase.SORT, 1)).isEqualTo(0);
    attempt.enter(SubPhase.SHUFFLE, 20);
    assertThat(attempt.subPhase()).as("nor does one go back").isEqualTo(SubPhase.REDUCE);
  }
}
