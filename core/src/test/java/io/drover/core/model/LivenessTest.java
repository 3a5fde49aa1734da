// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.Herd;
import io.drover.core.estimate.RemainingTimeEstimator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Reports come every second. Twelve attempts, each on a machine of its own, are heard of. */
class LivenessTest {
  private final PhaseModel phase = Herd.maps();
  private final Liveness liveness = phase.liveness();
  private final List<AttemptModel> others = new ArrayList<>();

  LivenessTest() {
    for (int i = 0; i < 12; i++) {
      others.add(startOn("other-" + i, 0));
    }
  }

  private AttemptModel startOn(String machine, double now) {
    AttemptModel attempt = phase.addTask().addAttempt(0, now);
    attempt.launched(now, machine);
    return attempt;
  }

  /** Lets attempts report each second from their fourth on, which is how long a start takes. */
  private void reports(int from, int to, List<AttemptModel> of) {
    for (int t = from; t <= to; t++) {
      for (AttemptModel attempt : of) {
        if (t >= attempt.launchedAt() + 4) {
          attempt.report(t, SubPhase.MAP, t / 1000.0);
        }
      }
    }
  }

  private double stopped(AttemptModel attempt, double now) {
    double chance = liveness.stopped(attempt, now);
    assertThat(chance).isBetween(0.0, 1.0);
    assertThat(liveness.hasStopped(attempt, now)).isEqualTo(chance > 0.5);
    return chance;
  }

  @Test
  void anAttemptIsWellUntilItsNextReportIsOverdue() {
    reports(0, 10, others);
    assertThat(stopped(others.get(0), 11.5)).isZero();
    assertThat(stopped(others.get(0), 11.6)).isBetween(0.0, 0.2);
  }

  @Test
  void theLongerOneIsSilentTheLikelierItHasStopped() {
    AttemptModel silent = others.get(0);
    reports(0, 10, others);
    double before = 0;
    for (int t = 12; t <= 30; t++) {
      reports(t, t, others.subList(1, 12));
      assertThat(stopped(silent, t)).isGreaterThanOrEqualTo(before);
      before = stopped(silent, t);
    }
    assertThat(before).isGreaterThan(0.999);
  }

  @Test
  void whereAnotherHasStoppedItIsKnownSooner() {
    AttemptModel first = startOn("dead", 0);
    AttemptModel second = startOn("dead", 0);
    AttemptModel begun = startOn("dead", 8);
    AttemptModel apart = startOn("apart", 0);
    AttemptModel begunApart = startOn("apart", 8);
    reports(0, 10, List.of(first));
    reports(0, 12, List.of(second, apart));
    reports(0, 13, others);
    assertThat(stopped(second, 13.6)).isGreaterThan(0.5);
    assertThat(stopped(apart, 13.6)).isLessThan(0.1);
    assertThat(stopped(begun, 13.6)).isGreaterThan(0.4);
    assertThat(stopped(begunApart, 13.6)).isLessThan(0.1);
    second.report(13.6, SubPhase.MAP, 0.02);
    assertThat(stopped(begun, 13.6)).as("the machine is heard of").isLessThan(0.1);
  }

  @Test
  void oneThatIsKilledBecauseItsTaskIsDoneSaysNothingAboutItsMachine() {
    AttemptModel killed = startOn("m", 0);
    AttemptModel faster = killed.task().addAttempt(1, 0);
    faster.launched(0, "elsewhere");
    AttemptModel begun = startOn("m", 8);
    reports(0, 10, List.of(killed, faster));
    faster.ended(AttemptState.SUCCEEDED, 10); // to confirm the other one's kill takes a while
    reports(0, 14, others);
    assertThat(stopped(begun, 14)).isLessThan(0.1);
  }

  private AttemptModel startIn(String rack, String machine, double now) {
    AttemptModel attempt = phase.addTask().addAttempt(0, now);
    attempt.launched(now, machine, rack);
    return attempt;
  }

  @Test
  void whereARackIsSilentItIsKnownOfItsOtherMachines() {
    List<AttemptModel> cut = List.of(startIn("/cut", "c1", 0), startIn("/cut", "c2", 0));
    List<AttemptModel> well = List.of(startIn("/well", "w1", 0), startIn("/well", "w2", 0));
    AttemptModel begun = startIn("/cut", "c3", 8);
    AttemptModel begunApart = startIn("/well", "w3", 8);
    reports(0, 10, cut);
    reports(0, 14, others);
    reports(0, 10, well);
    reports(14, 14, well.subList(0, 1));
    assertThat(stopped(begun, 14)).isGreaterThan(0.3);
    assertThat(stopped(begunApart, 14)).as("one there is heard of").isLessThan(0.1);
    cut.get(0).report(14, SubPhase.MAP, 0.02);
    assertThat(stopped(begun, 14)).as("the rack is heard of").isLessThan(0.1);
  }

  @Test
  void oneMachineIsNoRack() {
    AttemptModel first = startIn("/r", "dead", 0);
    AttemptModel second = startIn("/r", "dead", 0);
    AttemptModel begun = startIn("/r", "another", 8);
    reports(0, 10, List.of(first, second));
    reports(0, 14, others);
    assertThat(stopped(first, 14)).isGreaterThan(0.9);
    assertThat(stopped(begun, 14)).isLessThan(0.1);
  }

  @Test
  void onAMachineThatIsKnownForOutliersItIsBelievedSooner() {
    PhaseModel known =
        new PhaseModel(
            TaskKind.MAP,
            Herd.EVERY_SECOND,
            new SchedulingLag(),
            machine -> machine.equals("bad") ? 0.5 : 0.1);
    List<AttemptModel> all = new ArrayList<>();
    for (String machine : List.of("bad", "a", "b", "c", "d")) {
      AttemptModel attempt = known.addTask().addAttempt(0, 0);
      attempt.launched(0, machine);
      all.add(attempt);
    }
    reports(0, 10, all);
    reports(11, 12, all.subList(2, 5));
    double bad = known.liveness().stopped(all.get(0), 12);
    double usual = known.liveness().stopped(all.get(1), 12);
    assertThat(usual).isBetween(0.05, 0.5);
    assertThat(bad / (1 - bad)).isCloseTo(5 * usual / (1 - usual), within(1e-9));
  }

  private static AttemptModel onMachine(PhaseModel of, String machine, double now) {
    AttemptModel attempt = of.addTask(1000).addAttempt(0, now);
    attempt.launched(now, machine);
    return attempt;
  }

  @Test
  void whereOthersAreSlowOneIsExpectedToBeSlowToo() {
    PhaseModel known = Herd.maps();
    Herd.done(known, 6, 1000, 10);
    Herd.work(onMachine(known, "slow", 0), 0, 8, 80);
    AttemptModel begun = onMachine(known, "slow", 8);
    assertThat(known.liveness().slowness(begun, 8))
        .as("the mean of 8 and 1, by their logarithms")
        .isCloseTo(Math.sqrt(8), within(1e-9));
    AttemptModel well = onMachine(known, "slow", 0);
    Herd.work(well, 0, 9, 10);
    well.ended(AttemptState.SUCCEEDED, 10);
    assertThat(known.liveness().slowness(begun, 8))
        .as("one that has ended there was not slow")
        .isCloseTo(Math.cbrt(8), within(1e-9));
    assertThat(known.liveness().slowness(onMachine(known, "another", 8), 8)).isEqualTo(1);
  }

  @Test
  void aQuickMachineMakesNoneQuickerThanUsual() {
    PhaseModel known = Herd.maps();
    Herd.done(known, 6, 1000, 10);
    AttemptModel quick = onMachine(known, "quick", 0);
    Herd.work(quick, 0, 4, 5);
    quick.ended(AttemptState.SUCCEEDED, 5);
    assertThat(known.liveness().slowness(onMachine(known, "quick", 8), 8)).isEqualTo(1);
  }

  @Test
  void thatSeveralStartLateOnAMachineSaysNothingAboutIt() {
    AttemptModel one = startOn("busy", 0);
    startOn("busy", 0);
    startOn("busy", 0);
    reports(0, 7, others);
    assertThat(stopped(one, 7)).isLessThan(0.25);
  }

  @Test
  void whereMostAreSilentItTakesLonger() {
    reports(0, 10, others);
    reports(11, 15, others.subList(9, 12));
    assertThat(stopped(others.get(0), 15)).isLessThan(0.25);
    assertThat(stopped(others.get(0), 19)).isGreaterThan(0.5);
  }

  @Test
  void oneThatIsNotHeardOfWhenOthersWereHasStopped() {
    AttemptModel late = startOn("late", 0);
    reports(0, 4, others);
    assertThat(stopped(late, 6)).isLessThan(0.1);
    reports(5, 8, others);
    assertThat(stopped(late, 8)).as("twice as long as usual").isBetween(0.1, 0.5);
    reports(9, 12, others);
    assertThat(stopped(late, 12)).isGreaterThan(0.8);
  }

  @Test
  void whereOthersOfThatAgeAreNotHeardOfEitherItMayJustTakeLong() {
    List<AttemptModel> late = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      late.add(startOn("late-" + i, 0));
    }
    reports(0, 12, others);
    assertThat(stopped(late.get(0), 12)).isLessThan(0.1);
    assertThat(stopped(late.get(0), 60)).as("not for ever").isGreaterThan(0.5);
    late.subList(1, 6).forEach(attempt -> attempt.report(13, SubPhase.MAP, 0.001));
    assertThat(stopped(late.get(0), 30)).isGreaterThan(0.5);
  }

  @Test
  void whoseContainerCameAMomentLaterIsAsOld() {
    AttemptModel first = startOn("first", 0);
    for (int i = 0; i < 6; i++) {
      startOn("a-moment-later-" + i, 0.5);
    }
    reports(0, 12, others);
    assertThat(stopped(first, 12)).isLessThan(0.1);
  }

  @Test
  void youngerOnesAreNoWitnesses() {
    AttemptModel late = startOn("late", 0);
    reports(0, 11, others);
    for (int i = 0; i < 6; i++) {
      startOn("young-" + i, 11);
    }
    assertThat(stopped(late, 12)).isGreaterThan(0.8);
  }

  @Test
  void nothingIsKnownBeforeAnybodyWasHeardOf() {
    assertThat(stopped(others.get(0), 1000)).isZero();
  }

  @Test
  void whatHasEndedOrDoneItsWorkHasNotStopped() {
    reports(0, 10, others);
    others.get(0).report(10, SubPhase.MAP, 1);
    others.get(1).ended(AttemptState.KILLED, 11);
    assertThat(stopped(others.get(0), 100)).isZero();
    assertThat(stopped(others.get(1), 100)).isZero();
  }

  @Test
  void onADeadMachineEverythingThatRunsHasStoppedUntilItIsBack() {
    AttemptModel there = startOn("dead", 0);
    reports(0, 10, others);
    reports(0, 10, List.of(there));
    assertThat(stopped(there, 10)).isZero();
    liveness.dead(Set.of("dead"));
    assertThat(stopped(there, 10)).isGreaterThan(0.9);
    assertThat(liveness.isOnDeadMachine(there)).isTrue();
    assertThat(stopped(others.get(0), 10)).isZero();
    RemainingTimeEstimator remaining = new RemainingTimeEstimator();
    assertThat(remaining.seconds(there, 10)).isInfinite();
    liveness.dead(Set.of());
    assertThat(stopped(there, 10)).isZero();
    assertThat(remaining.seconds(there, 10)).isFinite();
    liveness.dead(Set.of("dead"));
    there.ended(AttemptState.KILLED, 11);
    assertThat(stopped(there, 11)).isZero();
  }

  @Test
  void whereMapsReportOnlyTheirEndALargeOneIsWaitedForAsItsSizeSays() {
    PhaseModel ends = Herd.maps();
    AttemptModel large = Herd.start(ends.addTask(6000), 0);
    for (int i = 0; i < 6; i++) {
      AttemptModel usual = Herd.start(ends.addTask(1000), 0);
      usual.report(10, SubPhase.MAP, 1);
      usual.ended(AttemptState.SUCCEEDED, 10);
    }
    assertThat(ends.liveness().stopped(large, 50)).isLessThan(0.1);
    assertThat(ends.liveness().stopped(large, 200)).as("not for ever").isGreaterThan(0.5);
  }
}
