// SPDX-License-Identifier: Apache-2.0
package io.drover.core.estimate;

import static io.drover.core.Herd.done;
import static io.drover.core.Herd.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.Herd;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.SchedulingLag;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LocationFactorsTest {
  private final Map<String, Double> told = new HashMap<>();
  private final PhaseModel phase =
      new PhaseModel(
          TaskKind.MAP,
          Herd.EVERY_SECOND,
          new SchedulingLag(),
          machine -> told.getOrDefault(machine, PhaseModel.OUTLIERS));
  private final LocationFactors factors = new LocationFactors(2);

  @BeforeEach
  void otherMachinesAreWell() {
    done(phase, 6, 1000, 10);
  }

  private AttemptModel on(String machine, double full) {
    AttemptModel attempt = phase.addTask(1000).addAttempt(0, 0);
    attempt.launched(0, machine);
    work(attempt, 0, 8, full);
    return attempt;
  }

  private AttemptModel large(String machine) {
    AttemptModel attempt = phase.addTask(10_000).addAttempt(0, 0);
    attempt.launched(0, machine);
    work(attempt, 0, 8, 100);
    return attempt;
  }

  /** Reports each second of a map that takes 100 s. */
  private static void goesOn(AttemptModel attempt, int from, int to) {
    for (int t = from; t <= to; t++) {
      attempt.report(t, SubPhase.MAP, t / 100.0);
    }
  }

  private Map<String, Double> pass(double now) {
    return factors.observe(List.of(phase), now);
  }

  @Test
  void machineWithTwoOutliersIsFoundOnce() {
    on("m", 80);
    on("m", 80);
    assertThat(pass(8)).containsOnlyKeys("m");
    assertThat(factors.mayBeBad("m")).isTrue();
    assertThat(pass(8)).isEmpty();
  }

  @Test
  void theFactorIsThatOfMostAttemptsThere() {
    for (int i = 0; i < 5; i++) {
      on("m", 80);
    }
    assertThat(pass(8).get("m")).isCloseTo(8, within(0.1));
  }

  @Test
  void oneOutlierSaysNothingOfItsMachineHoweverOftenItIsSeen() {
    on("m", 80);
    assertThat(pass(8)).isEmpty();
    assertThat(pass(9)).isEmpty();
  }

  @Test
  void machineMayBeBadIfATaskIsSlowThereAndGoesWellElsewhereWhileNoOtherGoesWellThere() {
    AttemptModel slow = on("m", 80);
    assertThat(pass(8)).isEmpty();
    assertThat(factors.mayAnyBeBad()).as("the task may have more to do").isFalse();
    AttemptModel copy = slow.task().addAttempt(1, 8);
    copy.launched(8, "n");
    work(copy, 8, 12, 10);
    assertThat(pass(12)).isEmpty();
    assertThat(factors.mayAnyBeBad()).isTrue();
    assertThat(factors.mayBeBad("m")).isTrue();
    assertThat(factors.mayBeBad("n")).isFalse();
    on("m", 10).ended(AttemptState.SUCCEEDED, 10);
    assertThat(pass(12)).isEmpty();
    assertThat(factors.mayAnyBeBad()).isFalse();
  }

  @Test
  void machineOfATaskThatIsSlowElsewhereAsWellIsNotSuspected() {
    AttemptModel slow = on("m", 80);
    AttemptModel copy = slow.task().addAttempt(1, 8);
    copy.launched(8, "n");
    work(copy, 8, 16, 80);
    assertThat(pass(16)).isEmpty();
    assertThat(factors.mayAnyBeBad()).isFalse();
  }

  @Test
  void oneOutlierIsEnoughWhereEarlierJobsHadMany() {
    told.put("m", 0.5);
    on("m", 80);
    on("n", 80);
    assertThat(pass(8)).containsOnlyKeys("m");
  }

  @Test
  void machineIsNotBadForWhatEarlierJobsHadThereAlone() {
    told.put("m", 1.0);
    on("m", 10);
    assertThat(pass(8)).isEmpty();
  }

  @Test
  void outliersAmongAsManyOthersSayNothingOfTheirMachine() {
    on("m", 80);
    on("m", 80);
    on("m", 10);
    on("m", 10);
    assertThat(pass(8)).isEmpty();
  }

  @Test
  void outliersOnDifferentMachinesDoNotAddUp() {
    on("m", 80);
    on("n", 80);
    assertThat(pass(8)).isEmpty();
  }

  @Test
  void tasksThatAreSlowOnSeveralMachinesSayNothingAboutThem() {
    for (int i = 0; i < 2; i++) {
      AttemptModel first = on("m", 80);
      AttemptModel second = first.task().addAttempt(1, 0);
      second.launched(0, "n" + i);
      work(second, 0, 8, 80);
    }
    assertThat(pass(8)).isEmpty();
  }

  @Test
  void withTooFewAttemptsElsewhereNothingIsKnown() {
    PhaseModel small = Herd.maps();
    done(small, 2, 1000, 10);
    for (int i = 0; i < 3; i++) {
      AttemptModel attempt = small.addTask(1000).addAttempt(0, 0);
      attempt.launched(0, "m");
      work(attempt, 0, 8, 80);
    }
    assertThat(factors.observe(List.of(small), 8)).isEmpty();
  }

  @Test
  void largeTasksAreNoOutliers() {
    for (int i = 0; i < 3; i++) {
      AttemptModel large = phase.addTask(8000).addAttempt(0, 0);
      large.launched(0, "m");
      work(large, 0, 8, 80);
    }
    assertThat(pass(8)).isEmpty();
  }

  @Test
  void attemptsThatAreLateByAMomentSayNothing() {
    PhaseModel quick = Herd.maps();
    done(quick, 6, 1000, 2.9);
    for (int i = 0; i < 3; i++) {
      AttemptModel attempt = quick.addTask(1000).addAttempt(0, 0);
      attempt.launched(0, "m");
      work(attempt, 0, 5, 5.85);
    }
    assertThat(factors.observe(List.of(quick), 5)).isEmpty();
  }

  @Test
  void attemptsThatHaveJustBegunSayNothing() {
    for (int i = 0; i < 3; i++) {
      AttemptModel attempt = phase.addTask(1000).addAttempt(0, 0);
      attempt.launched(0, "m");
      work(attempt, 0, 4, 100);
    }
    assertThat(pass(4)).isEmpty();
  }

  @Test
  void machineWhoseAttemptsHaveStoppedIsBad() {
    AttemptModel well = on("n", 100);
    on("m", 10);
    on("m", 10);
    goesOn(well, 9, 40);
    assertThat(pass(40)).as("it may pass").isEmpty();
    goesOn(well, 41, 46);
    assertThat(pass(45)).isEmpty();
    assertThat(pass(46)).containsEntry("m", Double.POSITIVE_INFINITY).hasSize(1);
  }

  @Test
  void machineThatIsHeardOfAgainIsNotBad() {
    AttemptModel well = large("n");
    AttemptModel one = large("m");
    AttemptModel other = large("m");
    goesOn(well, 9, 40);
    assertThat(pass(40)).isEmpty();
    for (int t = 41; t <= 60; t++) {
      well.report(t, SubPhase.MAP, t / 100.0);
      one.report(t, SubPhase.MAP, t / 100.0);
      other.report(t, SubPhase.MAP, t / 100.0);
    }
    assertThat(pass(60)).isEmpty();
  }

  @Test
  void attemptsThatWereEndedAfterTheyHadStoppedStillCount() {
    AttemptModel well = on("n", 100);
    AttemptModel one = on("m", 10);
    AttemptModel other = on("m", 10);
    goesOn(well, 9, 40);
    one.ended(AttemptState.KILLED, 40);
    other.ended(AttemptState.KILLED, 40);
    for (int t = 41; t <= 47; t++) {
      well.report(t, SubPhase.MAP, t / 100.0);
      assertThat(pass(t)).hasSize(t < 47 ? 0 : 1);
    }
    assertThat(factors.mayBeBad("m")).isTrue();
  }

  @Test
  void noMachineIsBadWhileThePhaseStandsStillAndRightAfterIt() {
    AttemptModel well = on("a", 20);
    List<AttemptModel> held = List.of(on("b", 20), on("b", 20), on("c", 20), on("c", 20));
    assertThat(pass(40)).isEmpty();
    well.report(41, SubPhase.MAP, 0.45);
    assertThat(pass(41)).isEmpty();
    for (AttemptModel attempt : held) {
      attempt.report(42, SubPhase.MAP, 0.45);
    }
    assertThat(pass(42)).isEmpty();
  }

  /** Lets three machines go on after a stall from 9 to 20, and calls each second until 50. */
  private void goOnAfterAStall(List<AttemptModel> later, int from) {
    List<AttemptModel> others = List.of(large("a"), large("b"), large("c"));
    for (int t = 9; t <= 50; t++) {
      List<AttemptModel> goOn = new ArrayList<>(t <= 20 ? List.of() : others);
      goOn.addAll(t < from ? List.of() : later);
      for (AttemptModel attempt : goOn) {
        attempt.report(t, SubPhase.MAP, (t - 12) / 100.0);
      }
      assertThat(pass(t)).as("at %s", t).isEmpty();
    }
  }

  @Test
  void machineThatGoesOnLaterThanOthersAfterAStallOfThePhaseIsNotBad() {
    goOnAfterAStall(List.of(large("m"), large("m")), 29);
  }

  @Test
  void attemptsThatWereEndedInAStallOfThePhaseSayNothingOfTheirMachine() {
    List<AttemptModel> preempted = List.of(large("m"), large("m"), large("n"), large("o"));
    for (int t = 9; t <= 20; t++) {
      assertThat(pass(t)).isEmpty();
    }
    preempted.forEach(attempt -> attempt.ended(AttemptState.KILLED, 20));
    goOnAfterAStall(List.of(), 0);
  }

  @Test
  void slowMachinesAreFoundThoughMostAttemptsThatAreKnownAreThere() {
    for (String machine : List.of("m", "n", "o", "p")) {
      on(machine, 80);
      on(machine, 80);
    }
    assertThat(pass(8)).containsOnlyKeys("m", "n", "o", "p");
  }

  @Test
  void whatAnEarlierAppMasterFoundIsNotFoundAgain() {
    factors.known("m");
    on("m", 80);
    on("m", 80);
    assertThat(pass(8)).isEmpty();
    assertThat(factors.mayBeBad("m")).isTrue();
  }

  @Test
  void atLeastOneAttemptIsAdded() {
    assertThatThrownBy(() -> new LocationFactors(0)).hasMessageContaining("added");
  }
}
