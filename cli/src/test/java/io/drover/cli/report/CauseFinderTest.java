// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import static io.drover.cli.report.SampleJob.steady;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.drover.cli.report.SampleJob.Attempt;
import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.history.AttemptRecord.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of several attempts made a task slow, and what took the time. */
class CauseFinderTest {
  /** Ten maps from second 5 to 25 on n1 to n5. */
  private final SampleJob job = new SampleJob(1).maps(10, 5, 25);

  /** Adds a map, and returns it as the only slow one. */
  private Straggler slow(Attempt... attempts) {
    job.map(attempts);
    assertThat(job.analysis().stragglers()).hasSize(1);
    return job.analysis().stragglers().get(0);
  }

  @Test
  void slowRetryOfAShortAttemptIsTheSlowOne() {
    job.map(new Attempt("n7", 5, 65).splits(steady(2, 60)));
    job.map(
        new Attempt("n1", 5, 6).ended(Outcome.KILLED, "Container preempted by scheduler"),
        new Attempt("n7", 7, 60).role(Role.RETRY));

    Straggler retried = job.analysis().stragglers().get(1);
    assertThat(retried.task().name()).isEqualTo("m11");
    assertThat(retried.attempt().node()).isEqualTo("n7");
    assertThat(retried.cause()).isEqualTo(Cause.SLOW_MACHINE);
  }

  @Test
  void originalThatACopySpedPastIsTheSlowOne() {
    Straggler slow =
        slow(
            new Attempt("n7", 5, 65).ended(Outcome.KILLED, ""),
            new Attempt("n8", 30, 64).role(Role.COPY));

    assertThat(slow.attempt().node()).isEqualTo("n7");
  }

  @Test
  void copyThatWentOnAloneIsTheSlowOne() {
    Straggler slow =
        slow(
            new Attempt("n7", 5, 15).ended(Outcome.FAILED, ""),
            new Attempt("n8", 10, 105).role(Role.COPY));

    assertThat(slow.attempt().node()).isEqualTo("n8");
    assertThat(slow.cause()).isEqualTo(Cause.SLOW_ATTEMPT);
  }

  @Test
  void machineOfTheOutputThatWasLostIsNamedAndNotThatOfAShortFailure() {
    Straggler slow =
        slow(
            new Attempt("n6", 5, 6).ended(Outcome.FAILED, "Error: once"),
            new Attempt("n7", 7, 27).role(Role.RETRY).ended(Outcome.OUTPUT_LOST, ""),
            new Attempt("n2", 60, 80).role(Role.RETRY));

    assertThat(slow.cause()).isEqualTo(Cause.LOST_OUTPUT);
    assertThat(slow.attempt().node()).isEqualTo("n7");
  }

  @Test
  void machineThatWasLostIsNamedAndNotThatOfAShortFailure() {
    Straggler slow =
        slow(
            new Attempt("n6", 5, 6).ended(Outcome.FAILED, "Error: once"),
            new Attempt("n7", 7, 107)
                .role(Role.RETRY)
                .ended(Outcome.KILLED, "Container released on a *lost* node"),
            new Attempt("n2", 108, 128).role(Role.RETRY));

    assertThat(slow.cause()).isEqualTo(Cause.LOST_MACHINE);
    assertThat(slow.attempt().node()).isEqualTo("n7");
  }

  @Test
  void lossOfAnOutputDoesNotExplainThatItsAttemptWasSlow() {
    Straggler slow =
        slow(
            new Attempt("n7", 5, 205).ended(Outcome.OUTPUT_LOST, ""),
            new Attempt("n2", 207, 227).role(Role.RETRY));

    assertThat(slow.cause()).isEqualTo(Cause.SLOW_ATTEMPT);
    assertThat(slow.attempt().node()).isEqualTo("n7");
  }

  @Test
  void lossOfAnOutputDoesNotExplainThatItTookLongToMakeItAgain() {
    Straggler slow =
        slow(
            new Attempt("n7", 5, 25).ended(Outcome.OUTPUT_LOST, ""),
            new Attempt("n2", 27, 227).role(Role.RETRY));

    assertThat(slow.cause()).isEqualTo(Cause.SLOW_ATTEMPT);
    assertThat(slow.attempt().node()).isEqualTo("n2");
  }

  @Test
  void timeOutAfterAShortFailureIsAStop() {
    Straggler slow =
        slow(
            new Attempt("n6", 5, 6).ended(Outcome.FAILED, "Error: once"),
            new Attempt("n7", 7, 607)
                .role(Role.RETRY)
                .ended(Outcome.FAILED, "AttemptID:attempt_1 Timed out after 600 secs"),
            new Attempt("n2", 608, 628).role(Role.RETRY));

    assertThat(slow.cause()).isEqualTo(Cause.STOPPED);
    assertThat(slow.attempt().node()).isEqualTo("n7");
    assertThat(slow.evidence()).contains("on n7", "after 10:00");
  }

  @Test
  void attemptsThatTogetherExplainTheExcessAreNamedByTheDearest() {
    Straggler slow =
        slow(
            new Attempt("n6", 5, 25).ended(Outcome.FAILED, "Error: once"),
            new Attempt("n7", 26, 56).role(Role.RETRY).ended(Outcome.FAILED, "Error: again"),
            new Attempt("n2", 57, 97).role(Role.RETRY));

    assertThat(slow.cause()).isEqualTo(Cause.FAILED);
    assertThat(slow.evidence()).isEqualTo("2 attempts failed: Error: again");
  }

  @Test
  void machineOnWhichAllTasksComputeForLongerIsSlow() {
    for (int i = 0; i < 4; i++) {
      job.map(new Attempt("n7", 5, 65).cpu(6_000));
    }

    assertThat(job.analysis().stragglers())
        .extracting(Straggler::cause)
        .containsOnly(Cause.SLOW_MACHINE)
        .hasSize(4);
    assertThat(job.analysis().stragglers().get(0).evidence())
        .isEqualTo("other attempts on n7 took 3.0 times as long as usual");
  }

  /** Beside as many others that are usual, or none. */
  @ParameterizedTest
  @CsvSource({"2, 0", "2, 1", "3, 2", "4, 2", "4, 3"})
  void tasksWithMoreWorkDoNotBlameEachOthersMachine(int more, int usual) {
    for (int i = 0; i < more + usual; i++) {
      job.map(i < more ? new Attempt("n7", 5, 75).cpu(8_000) : new Attempt("n7", 5, 25));
    }

    assertThat(job.analysis().stragglers())
        .extracting(Straggler::cause)
        .containsOnly(Cause.MORE_WORK)
        .hasSize(more);
  }

  @Test
  void tasksWithMoreDataDoNotTellThatTheirMachineIsSlow() {
    for (int i = 0; i < 4; i++) {
      job.map(new Attempt("n7", 5, 75).read(256_000_000, 4_000_000));
    }
    job.map(new Attempt("n7", 5, 75).cpu(8_000));

    assertThat(job.analysis().stragglers())
        .extracting(Straggler::cause)
        .containsExactlyInAnyOrder(
            Cause.MORE_DATA, Cause.MORE_DATA, Cause.MORE_DATA, Cause.MORE_DATA, Cause.MORE_WORK);
  }

  @Test
  void machineOnWhichOthersAreSlowForNoReasonOfTheirOwnIsSlow() {
    for (int i = 0; i < 2; i++) {
      job.map(new Attempt("n7", 5, 65));
    }
    job.map(new Attempt("n7", 5, 75).cpu(8_000));

    assertThat(job.analysis().stragglers())
        .extracting(Straggler::cause)
        .containsOnly(Cause.SLOW_MACHINE)
        .hasSize(3);
  }

  @Test
  void machineOnWhichSmallTasksComputeForLongerThanTheirDataTakesIsSlow() {
    for (int i = 0; i < 2; i++) {
      job.map(new Attempt("n7", 5, 25).cpu(4_000).read(32_000_000, 500_000));
    }

    Straggler slow = slow(new Attempt("n7", 5, 85).cpu(8_000));

    assertThat(slow.cause()).isEqualTo(Cause.SLOW_MACHINE);
    assertThat(slow.evidence())
        .isEqualTo(
            "other attempts on n7 took 4.0 times as much processor time as usual for their data");
  }

  /** That a task starts takes 2 s of them, whatever its data. */
  @Test
  void processorTimeOfVerySmallTasksDoesNotTellThatTheirMachineIsSlow() {
    for (int i = 0; i < 2; i++) {
      job.map(new Attempt("n7", 5, 8).cpu(2_000).read(200_000, 3_000));
    }

    assertThat(slow(new Attempt("n7", 5, 85).cpu(10_000)).cause()).isEqualTo(Cause.MORE_WORK);
  }

  @Test
  void oneOtherTaskThatComputesForLongerDoesNotTellThatItsMachineIsSlow() {
    job.map(new Attempt("n7", 5, 25).cpu(8_000));

    assertThat(slow(new Attempt("n7", 5, 85).cpu(8_000)).cause()).isEqualTo(Cause.MORE_WORK);
  }

  @Test
  void reduceThatHadSucceededBeforeTheLastMapEndedHasTurnsAfterThat() {
    for (int i = 0; i < 6; i++) {
      job.reduce(new Attempt("n" + i, 10, 28).fetchedAt(26));
    }
    job.reduce(
        new Attempt("n7", 11, 50).ended(Outcome.UNKNOWN, ""),
        new Attempt("n8", 12, 22).role(Role.COPY).ended(Outcome.UNKNOWN, ""),
        new Attempt("n9", 13, 21).role(Role.COPY).ended(Outcome.OUTPUT_LOST, ""));

    assertThat(job.analysis().stragglers())
        .extracting(slow -> slow.task().name(), slow -> slow.attempt().node())
        .containsExactly(tuple("r6", "n7"));
  }

  @Test
  void turnsAddUpToTheTimeOfTheirTask() {
    job.map(
        new Attempt("n1", 5, 40).ended(Outcome.KILLED, ""),
        new Attempt("n2", 10, 30).role(Role.COPY).ended(Outcome.OUTPUT_LOST, ""),
        new Attempt("n3", 12, 30).role(Role.COPY).ended(Outcome.KILLED, ""),
        new Attempt("n4", 50, 70).role(Role.RETRY));

    assertThat(Turn.of(PhaseTimes.ofMaps(job.record()), 10))
        .extracting(turn -> turn.attempt().node(), Turn::ran, Turn::waited)
        .containsExactly(tuple("n1", 25.0, 0.0), tuple("n2", 0.0, 20.0), tuple("n4", 20.0, 0.0));
  }
}
