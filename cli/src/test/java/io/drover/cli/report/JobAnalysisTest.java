// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import static io.drover.cli.report.SampleJob.steady;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.cli.report.SampleJob.Attempt;
import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.history.AttemptRecord.Role;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobAnalysisTest {
  /** Ten maps from second 5 to 25 on n1 to n5, and another task. */
  private static SampleJob beside(Attempt... attempts) {
    return new SampleJob(1).maps(10, 5, 25).map(attempts);
  }

  private static Straggler only(SampleJob job) {
    List<Straggler> stragglers = job.analysis().stragglers();
    assertThat(stragglers).hasSize(1);
    return stragglers.get(0);
  }

  @Test
  void jobWhoseTasksAreAlikeLostNothing() {
    JobAnalysis analysis = new SampleJob(1).maps(10, 5, 25).analysis();

    assertThat(analysis.stragglers()).isEmpty();
    assertThat(analysis.phaseCosts()).isEmpty();
    assertThat(analysis.costSeconds()).isZero();
    assertThat(analysis.acts()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"KILLED", "UNKNOWN"})
  void tasksThatWereCutOffDoNotTellWhatIsUsual(Outcome cutOff) {
    SampleJob job = new SampleJob(1).maps(4, 5, 25);
    for (int i = 0; i < 6; i++) {
      job.map(new Attempt("n" + i, 24, 26).ended(cutOff, ""));
    }
    assertThat(job.analysis().stragglers()).isEmpty();
    assertThat(job.analysis().phaseCosts()).isEmpty();
    assertThat(job.analysis().machines().ofOthers("n0", job.record().tasks().get(0))).isEmpty();

    Straggler slow = only(job.map(new Attempt("n9", 5, 36).ended(cutOff, "")));
    assertThat(slow.usualSeconds()).isEqualTo(20);
    assertThat(slow.task().name()).isEqualTo("m10");
  }

  /** As if they had begun before their job, or ended before they began. */
  @ParameterizedTest
  @CsvSource({"0, 8", "5, 5"})
  void timesThatWereClippedDoNotTellWhatIsUsual(int start, int end) {
    SampleJob job = new SampleJob(1).maps(4, 5, 25);
    for (int i = 0; i < 6; i++) {
      job.map(new Attempt("n1", start, end));
    }

    assertThat(job.analysis().stragglers()).isEmpty();
    assertThat(job.analysis().phaseCosts()).isEmpty();
    assertThat(job.analysis().machines().ofOthers("n1", job.record().tasks().get(9))).hasValue(1);
  }

  @Test
  void reducesThatFetchedBeforeAMapRanAgainDoNotTellWhatIsUsual() {
    SampleJob job = new SampleJob(1).maps(4, 5, 15);
    job.map(
        new Attempt("n4", 5, 15).ended(Outcome.OUTPUT_LOST, "Too many fetch failures"),
        new Attempt("n2", 40, 50).role(Role.RETRY));
    for (int i = 0; i < 6; i++) {
      job.reduce(new Attempt("n" + i, 15, i < 5 ? 35 : 51).fetchedAt(20));
    }
    for (int i = 0; i < 3; i++) {
      job.reduce(new Attempt("n" + i, 36, 70).fetchedAt(55));
    }
    assertThat(only(job).cause()).isEqualTo(Cause.LOST_OUTPUT);

    job.reduce(new Attempt("n7", 36, 110).fetchedAt(71));
    Straggler slow = job.analysis().stragglers().get(0);
    assertThat(slow.usualSeconds()).isEqualTo(20);
    assertThat(slow.cause()).isEqualTo(Cause.SLOW_ATTEMPT);
  }

  /** By the clocks of the reduces' machines they had fetched before the last map ended. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 2, 20})
  void reducesWhoseClocksAreBehindAreMeasured(double behind) {
    SampleJob job = new SampleJob(1).maps(4, 5, 35);
    for (int i = 0; i < 9; i++) {
      job.reduce(new Attempt("n" + i, 20, 65).fetchedAt(36 - behind));
    }
    job.reduce(new Attempt("n9", 20, 165).fetchedAt(36 - behind));

    assertThat(only(job).task().name()).isEqualTo("r9");
    assertThat(only(job).usualSeconds()).isEqualTo(30);
    assertThat(job.analysis().machines().ofOthers("n9", job.record().tasks().get(0)))
        .hasValueCloseTo(130 / 30.0, within(1e-9));
  }

  @Test
  void reducesThatNeededTheMapThatRanAgainAreMeasuredThoughTheirClocksAreBehind() {
    SampleJob job = new SampleJob(1).maps(4, 5, 15);
    job.map(
        new Attempt("n4", 5, 15).ended(Outcome.OUTPUT_LOST, "Too many fetch failures"),
        new Attempt("n2", 30, 35).role(Role.RETRY));
    for (int i = 0; i < 9; i++) {
      job.reduce(new Attempt("n" + i, 20, 65).fetchedAt(34));
    }
    job.reduce(new Attempt("n9", 20, 165).fetchedAt(34));

    assertThat(job.analysis().stragglers()).extracting(slow -> slow.task().name()).contains("r9");
  }

  @Test
  void phaseOfWhichTooFewTasksSucceededHasNoLoneTask() {
    SampleJob job = new SampleJob(1).maps(2, 5, 25);
    job.map(new Attempt("n4", 5, 65).ended(Outcome.KILLED, ""));

    assertThat(job.analysis().stragglers()).isEmpty();
    assertThat(job.analysis().phaseCosts()).isEmpty();
  }

  @Test
  void attemptThatIsSlowForNoReasonIsJustSlowAndCostsTheTail() {
    Straggler slow = only(beside(new Attempt("n1", 5, 65).splits(steady(2, 60))));

    assertThat(slow.cause()).isEqualTo(Cause.SLOW_ATTEMPT);
    assertThat(slow.costSeconds()).isCloseTo(40, within(0.01));
    assertThat(slow.usualSeconds()).isEqualTo(20);
  }

  @Test
  void copyThatLostIsNotTakenForTheSlowAttempt() {
    Straggler slow =
        only(
            beside(
                new Attempt("n7", 5, 95).splits(steady(2, 90)),
                new Attempt("n1", 80, 95).ended(Outcome.KILLED, "").role(Role.COPY)));

    assertThat(slow.attempt().node()).isEqualTo("n7");
  }

  @Test
  void shortFailureDoesNotExplainALongRetry() {
    Straggler slow =
        only(
            beside(
                new Attempt("n1", 5, 6).ended(Outcome.FAILED, "Error: once"),
                new Attempt("n2", 7, 305).role(Role.RETRY).splits(steady(2, 298))));

    assertThat(slow.cause()).isNotEqualTo(Cause.FAILED);
  }

  @Test
  void attemptsThatAreSlowTogetherNameTheirMachine() {
    JobAnalysis analysis =
        beside(new Attempt("n7", 5, 65).splits(steady(2, 60)))
            .map(new Attempt("n7", 5, 60).splits(steady(2, 55)))
            .analysis();

    assertThat(analysis.stragglers())
        .extracting(Straggler::cause)
        .containsExactly(Cause.SLOW_MACHINE, Cause.SLOW_MACHINE);
    assertThat(analysis.stragglers().get(0).evidence()).contains("n7").contains("2.8 times");
    assertThat(analysis.costSeconds()).isCloseTo(40, within(0.01));
  }

  @Test
  void taskWithMoreDataIsNotItsMachinesFault() {
    Straggler slow = only(beside(new Attempt("n1", 5, 125).read(384_000_000, 6_000_000)));

    assertThat(slow.cause()).isEqualTo(Cause.MORE_DATA);
    assertThat(slow.evidence()).contains("6.0 times as many bytes");
  }

  @Test
  void fewBytesInManyRecordsAreMoreDataToo() {
    Straggler slow = only(beside(new Attempt("n1", 5, 125).read(64_000_000, 6_000_000)));

    assertThat(slow.cause()).isEqualTo(Cause.MORE_DATA);
    assertThat(slow.evidence()).contains("records");
  }

  @Test
  void littleMoreDataDoesNotExplainMuchMoreTime() {
    Straggler slow = only(beside(new Attempt("n1", 5, 125).read(90_000_000, 1_400_000)));

    assertThat(slow.cause()).isEqualTo(Cause.SLOW_ATTEMPT);
  }

  @Test
  void taskThatComputesForLongerHasMoreWork() {
    Straggler slow = only(beside(new Attempt("n1", 5, 125).cpu(12_000)));

    assertThat(slow.cause()).isEqualTo(Cause.MORE_WORK);
  }

  @Test
  void taskThatIsSlowOnSeveralMachinesHasMoreWork() {
    Straggler slow =
        only(
            beside(
                new Attempt("n1", 5, 125),
                new Attempt("n4", 40, 110).ended(Outcome.KILLED, "").role(Role.COPY)));

    assertThat(slow.cause()).isEqualTo(Cause.MORE_WORK);
  }

  @Test
  void attemptThatBeginsToWorkLateHasASlowStart() {
    Straggler slow = only(beside(new Attempt("n1", 5, 65).splits(steady(42, 60))));

    assertThat(slow.cause()).isEqualTo(Cause.SLOW_START);
    assertThat(slow.evidence()).contains("42.0 s to its first progress");
  }

  @Test
  void attemptThatStandsStillIsStopped() {
    double[] splits = steady(2, 20);
    splits[7] += 40;
    Straggler slow = only(beside(new Attempt("n1", 5, 65).splits(splits)));

    assertThat(slow.cause()).isEqualTo(Cause.STOPPED);
    assertThat(slow.evidence()).contains("at about 58 % on n1");
  }

  /** As TaskHeartbeatHandler says it since Hadoop 3.4, and before, and TaskTracker. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "AttemptID:attempt_1 task timeout set: 120s, taskTimedOut: true; "
            + "task stuck timeout set: 600s, taskStuck: false",
        "AttemptID:attempt_1 task timeout set: 600s, taskTimedOut: false; "
            + "task stuck timeout set: 600s, taskStuck: true",
        "AttemptID:attempt_1 Timed out after 600 secs",
        "Task attempt_1 failed to report status for 600 seconds. Killing!",
      })
  void timeOutIsAStop(String said) {
    Straggler slow =
        only(
            beside(
                new Attempt("n1", 5, 605).ended(Outcome.FAILED, said),
                new Attempt("n2", 606, 626).role(Role.RETRY)));

    assertThat(slow.cause()).isEqualTo(Cause.STOPPED);
    assertThat(slow.attempt().node()).isEqualTo("n1");
    assertThat(slow.costSeconds()).isCloseTo(601, within(0.01));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Error: no luck", "Error: SocketTimeoutException: Read timed out"})
  void failureOfTheProgramIsOne(String said) {
    Straggler slow =
        only(
            beside(
                new Attempt("n1", 5, 25).ended(Outcome.FAILED, said + "\n\tat x"),
                new Attempt("n2", 26, 46).role(Role.RETRY)));

    assertThat(slow.cause()).isEqualTo(Cause.FAILED);
    assertThat(slow.evidence()).isEqualTo("1 attempt failed: " + said);
  }

  @Test
  void outputThatWasLostAndMadeAgainIsNamedWithItsMachine() {
    Straggler slow =
        only(
            beside(
                    new Attempt("n4", 5, 25).ended(Outcome.OUTPUT_LOST, "Too many fetch failures"),
                    new Attempt("n2", 150, 170).role(Role.RETRY))
                .reduce(new Attempt("n1", 20, 180).fetchedAt(171)));

    assertThat(slow.cause()).isEqualTo(Cause.LOST_OUTPUT);
    assertThat(slow.attempt().node()).isEqualTo("n4");
    assertThat(slow.costSeconds()).isCloseTo(145, within(0.01));
  }

  @Test
  void reducesThatWaitForALostOutputDoNotWaitForSlots() {
    SampleJob job = new SampleJob(1).maps(4, 5, 25);
    job.map(
        new Attempt("n4", 5, 25).ended(Outcome.OUTPUT_LOST, "Too many fetch failures"),
        new Attempt("n2", 150, 170).role(Role.RETRY));
    for (int i = 0; i < 6; i++) {
      double end = i < 3 ? 40 : 172;
      job.reduce(new Attempt("n" + i, 26, end).fetchedAt(i < 3 ? 30 : 171));
    }

    JobAnalysis analysis = job.analysis();

    assertThat(analysis.mainCause()).contains(Cause.LOST_OUTPUT);
    assertThat(analysis.phaseCosts()).isEmpty();
    assertThat(analysis.costSeconds()).isLessThan(150);
  }

  @Test
  void machineThatIsLostIsNamed() {
    Straggler slow =
        only(
            beside(
                new Attempt("n4", 5, 300)
                    .ended(Outcome.KILLED, "Container released on a *lost* node"),
                new Attempt("n2", 301, 321).role(Role.RETRY)));

    assertThat(slow.cause()).isEqualTo(Cause.LOST_MACHINE);
  }

  @Test
  void taskWhoseContainerWasTakenAwayIsPreempted() {
    Straggler slow =
        only(
            beside(
                new Attempt("n1", 5, 301).ended(Outcome.KILLED, "Container preempted by scheduler"),
                new Attempt("n2", 301, 321).role(Role.RETRY)));

    assertThat(slow.cause()).isEqualTo(Cause.PREEMPTED);
    assertThat(slow.evidence()).contains("on n1 was taken away for others after 4:56");
    assertThat(slow.cause().isActedOn()).isFalse();
  }

  @Test
  void originalWhoseEndIsNotRecordedDoesNotSayThatItsAppMasterWasLost() {
    Straggler slow =
        only(
            beside(
                new Attempt("n1", 5, 301).ended(Outcome.UNKNOWN, ""),
                new Attempt("n2", 280, 300).role(Role.COPY)));

    assertThat(slow.cause()).isEqualTo(Cause.SLOW_ATTEMPT);
  }

  /** The next AppMaster writes anew what was done, and nothing of the other attempts. */
  @Test
  void tasksThatTheNextAppMasterRanAgainDidNotWaitForSlots() {
    JobAnalysis analysis = new SampleJob(1).maps(30, 5, 50).master(75).maps(70, 80, 130).analysis();

    assertThat(analysis.costs()).containsOnlyKeys(Cause.LOST_MASTER);
    assertThat(analysis.costSeconds()).isCloseTo(75, within(0.01));
    assertThat(analysis.phaseCosts().get(0).evidence()).contains("AppMaster was lost", "1:15");
  }

  @Test
  void wavesBeforeAndAfterALostAppMasterStillWaitForSlots() {
    SampleJob job = new SampleJob(1).maps(4, 5, 25).maps(4, 26, 46).master(60).master(62);

    JobAnalysis analysis = job.maps(4, 65, 85).maps(4, 86, 106).analysis();

    assertThat(analysis.costs().get(Cause.LOST_MASTER)).isCloseTo(39, within(0.01));
    assertThat(analysis.costs().get(Cause.WAITING_FOR_SLOTS)).isCloseTo(42, within(0.01));
  }

  @Test
  void reduceThatFetchesForLongHasASlowLink() {
    SampleJob job = new SampleJob(1).maps(4, 5, 25);
    for (int i = 0; i < 4; i++) {
      job.reduce(new Attempt("n" + i, 20, 45).fetchedAt(30));
    }
    Straggler slow = only(job.reduce(new Attempt("n6", 20, 105).fetchedAt(90)));

    assertThat(slow.cause()).isEqualTo(Cause.SLOW_LINK);
    assertThat(slow.costSeconds()).isCloseTo(60, within(0.01));
  }

  @Test
  void reduceThatWaitedForMapsIsNotChargedWithThat() {
    SampleJob job = new SampleJob(1).maps(4, 5, 65).map(new Attempt("n6", 5, 66));
    for (int i = 0; i < 4; i++) {
      job.reduce(new Attempt("n" + i, 20, 80).fetchedAt(67));
    }
    double[] splits = {1, 1, 1, 46, 2, 2, 2, 2, 12, 12, 12, 12};
    Straggler slow = only(job.reduce(new Attempt("n7", 20, 125).splits(splits).fetchedAt(67)));

    assertThat(slow.cause()).isEqualTo(Cause.SLOW_ATTEMPT);
  }

  @Test
  void reduceThatIsKilledWhileItFetchesHasASlowLink() {
    SampleJob job = new SampleJob(1).maps(4, 5, 25);
    for (int i = 0; i < 4; i++) {
      job.reduce(new Attempt("n" + i, 20, 45).fetchedAt(30));
    }
    Straggler slow =
        only(
            job.reduce(
                new Attempt("n6", 20, 105)
                    .ended(Outcome.KILLED, "")
                    .splits(2, 2, 2, 8.77, 8.77, 8.77, 8.77, 8.77, 8.77, 8.77, 8.77, 8.77),
                new Attempt("n2", 90, 105).role(Role.COPY).fetchedAt(95)));

    assertThat(slow.cause()).isEqualTo(Cause.SLOW_LINK);
    assertThat(slow.evidence()).contains("waited for its input").contains("25 %");
  }

  @Test
  void mapThatWaitsForInputFromAnotherRackHasASlowLink() {
    Straggler slow = only(beside(new Attempt("n1", 5, 65).locality("OFF_SWITCH")));

    assertThat(slow.cause()).isEqualTo(Cause.SLOW_LINK);
    assertThat(slow.evidence()).contains("another rack");
  }

  @Test
  void fetchesThatAreSlowInAllReducesAreChargedToALink() {
    SampleJob job = new SampleJob(1).maps(4, 5, 25);
    for (int i = 0; i < 4; i++) {
      job.reduce(new Attempt("n" + i, 20, 135).read(1_000_000, 1000).fetchedAt(125));
    }
    JobAnalysis analysis = job.analysis();

    assertThat(analysis.stragglers()).isEmpty();
    assertThat(analysis.mainCause()).contains(Cause.SLOW_LINK);
    assertThat(analysis.costSeconds()).isCloseTo(100 - 5.4, within(0.01));
  }

  @Test
  void tasksThatRunInWavesWaitForSlots() {
    SampleJob job = new SampleJob(1).maps(4, 5, 25).maps(4, 26, 46).maps(4, 47, 67);

    JobAnalysis analysis = job.analysis();

    assertThat(analysis.mainCause()).contains(Cause.WAITING_FOR_SLOTS);
    assertThat(analysis.costSeconds()).isCloseTo(42, within(0.01));
    assertThat(analysis.actedOnSeconds()).isZero();
  }

  @Test
  void longTaskThatIsAloneInItsPhaseIsToldOf() {
    JobAnalysis analysis =
        new SampleJob(1).maps(4, 5, 25).reduce(new Attempt("n1", 20, 300).fetchedAt(30)).analysis();

    assertThat(analysis.phaseCosts())
        .extracting(JobAnalysis.PhaseCost::cause)
        .containsExactly(Cause.LONE_TASK);
    assertThat(analysis.costSeconds()).isZero();
  }

  @Test
  void hindsightCopiesASlowAttemptAndSaysWhatThatSaves() {
    JobAnalysis analysis = beside(new Attempt("n1", 5, 165).splits(steady(2, 160))).analysis();

    assertThat(analysis.acts()).hasSize(1);
    assertThat(analysis.acts().values().iterator().next().at()).isBetween(10.0, 40.0);
    assertThat(analysis.savedSeconds()).isBetween(90.0, 140.0);
  }

  @Test
  void hindsightKnowsThatMapsAreDoneWhichOnlyACopyHasEnded() {
    SampleJob job = new SampleJob(1).maps(8, 5, 25);
    job.map(
        new Attempt("n1", 5, 60).ended(Outcome.KILLED, "").splits(steady(2, 100)),
        new Attempt("n2", 40, 60).role(Role.COPY));
    for (int i = 0; i < 6; i++) {
      job.reduce(new Attempt("n" + i, 30, 90).fetchedAt(65).splits(steady(30, 60)));
    }
    double[] stopped = steady(30, 60);
    stopped[10] += 400;
    job.reduce(new Attempt("n7", 30, 490).fetchedAt(65).splits(stopped));

    assertThat(job.analysis().acts()).containsKey("r6");
  }

  @Test
  void hindsightLooksAtTheFirstAttemptAsIfHadoopHadNotCopiedIt() {
    JobAnalysis analysis =
        beside(
                new Attempt("n1", 5, 100)
                    .ended(Outcome.KILLED, "")
                    .splits(8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 7),
                new Attempt("n2", 80, 100).role(Role.COPY))
            .analysis();

    assertThat(analysis.acts()).hasSize(1);
  }
}
