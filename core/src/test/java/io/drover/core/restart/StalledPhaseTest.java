// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import static io.drover.core.Herd.done;
import static io.drover.core.Herd.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.Herd;
import io.drover.core.estimate.NewAttemptEstimator;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Demand;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.Rule;
import io.drover.core.model.SubPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/**
 * Maps take 100 s, each on a machine of its own, and report every second (Delta). All or some of
 * them stop after 30 s. A window is 6 s, so a phase that stands still is left alone for 12 s.
 */
class StalledPhaseTest {
  private static final int STOP = 30;
  private static final int PATIENCE = 12;

  private final RestartPolicy policy = new MantriRestart(RestartSettings.DEFAULT);
  private final PhaseModel phase = Herd.maps();
  private final List<AttemptModel> attempts = new ArrayList<>();

  StalledPhaseTest() {
    done(phase, 10, 1000, 100);
  }

  private void begin(int tasks) {
    for (int i = 0; i < tasks; i++) {
      attempts.add(start(phase.addTask(1000), 0));
    }
  }

  /** Reports the pace of attempts that go on and, if {@code heardOf}, the stop of the others. */
  private void report(int at, boolean heardOf, IntPredicate goesOn) {
    for (int i = 0; i < attempts.size(); i++) {
      boolean on = goesOn.test(i) || at <= STOP;
      if (on || heardOf) {
        attempts.get(i).report(at, SubPhase.MAP, (on ? at : STOP) / 100.0);
      }
    }
  }

  private List<Decision> pass(RestartPolicy by, RestartSettings settings, double now) {
    List<Decision> decisions = by.decide(phase, Demand.NONE_WAITING, now);
    DecisionVerifier.verify(phase, Demand.NONE_WAITING, settings, now, decisions);
    return decisions;
  }

  private List<Rule> actingAt(double now) {
    return pass(policy, RestartSettings.DEFAULT, now).stream()
        .filter(decision -> decision.action() != Action.LEAVE)
        .map(Decision::rule)
        .toList();
  }

  /** Returns the first second whose pass acts, or -1 if no pass until {@code end} does. */
  private int firstAct(int end, boolean heardOf, IntPredicate goesOn) {
    for (int t = 0; t <= end; t++) {
      report(t, heardOf, goesOn);
      if (!actingAt(t).isEmpty()) {
        return t;
      }
    }
    return -1;
  }

  @Test
  void aPhaseOfWhichAllStopThatAreHeardOfIsLeftAloneForAWhile() {
    begin(10);
    assertThat(firstAct(STOP + PATIENCE, true, i -> false)).isEqualTo(-1);
    assertThat(pass(policy, RestartSettings.DEFAULT, STOP + PATIENCE))
        .extracting(Decision::rule)
        .containsOnly(Rule.CORRELATED_STALL);
    assertThat(firstAct(60, true, i -> false)).as("not for ever").isPositive();
  }

  @Test
  void soIsOneOfWhichNothingIsHeard() {
    begin(10);
    assertThat(firstAct(STOP + PATIENCE, false, i -> false)).isEqualTo(-1);
    assertThat(firstAct(90, false, i -> false)).as("not for ever").isPositive();
  }

  @Test
  void whoGoesOnAfterAPauseOfAllIsNeverCopied() {
    begin(10);
    assertThat(firstAct(STOP + 8, true, i -> false)).isEqualTo(-1);
    for (int t = STOP + 9; t < 90; t++) {
      for (AttemptModel attempt : attempts) {
        attempt.report(t, SubPhase.MAP, (t - 8) / 100.0);
      }
      assertThat(actingAt(t)).as("at %s", t).isEmpty();
    }
  }

  /** Lets nine attempts go on after 8 s, and the tenth at the given time. */
  private int firstActAfterAPause(int tenthGoesOn) {
    begin(10);
    assertThat(firstAct(STOP + 8, true, i -> false)).isEqualTo(-1);
    for (int t = STOP + 9; t < 90; t++) {
      for (int i = 0; i < 9; i++) {
        attempts.get(i).report(t, SubPhase.MAP, (t - 8) / 100.0);
      }
      attempts.get(9).report(t, SubPhase.MAP, (t < tenthGoesOn ? STOP : t - 12) / 100.0);
      if (!actingAt(t).isEmpty()) {
        return t;
      }
    }
    return -1;
  }

  @Test
  void whoGoesOnLaterThanTheOthersIsWaitedFor() {
    assertThat(firstActAfterAPause(STOP + 13)).isEqualTo(-1);
  }

  @Test
  void whoDoesNotGoOnIsCopiedSoon() {
    assertThat(firstActAfterAPause(1000)).isBetween(STOP + 9, STOP + 8 + 6 + 2);
  }

  @Test
  void mantrisOwnRulesCopyThemAll() {
    begin(10);
    for (int t = 0; t <= STOP + PATIENCE; t++) {
      report(t, true, i -> false);
    }
    RestartPolicy printed = new MantriRestart(RestartSettings.MANTRI);
    assertThat(pass(printed, RestartSettings.MANTRI, STOP + PATIENCE))
        .extracting(Decision::rule)
        .hasSize(10)
        .containsOnly(Rule.COPY_SAVES_TIME);
  }

  @Test
  void anAppMasterThatWasPausedForAMinuteCopiesNobody() {
    begin(10);
    assertThat(firstAct(STOP, true, i -> false)).isEqualTo(-1);
    assertNobodyIsCopiedAfterAPause();
  }

  @Test
  void norIfThePhaseStoodStillBeforeThePause() {
    begin(10);
    int seenToStandStill = STOP + 9;
    assertThat(firstAct(seenToStandStill, false, i -> false)).isEqualTo(-1);
    assertThat(phase.liveness().stall().stalledFor(seenToStandStill)).isPositive();
    assertNobodyIsCopiedAfterAPause();
  }

  private void assertNobodyIsCopiedAfterAPause() {
    for (int t = STOP + 60; t < STOP + 66; t++) {
      assertThat(actingAt(t)).as("nothing is heard yet, at %s", t).isEmpty();
    }
    for (int t = STOP + 66; t < 150; t++) {
      for (AttemptModel attempt : attempts) {
        attempt.report(t, SubPhase.MAP, Math.min(0.99, (t - 40) / 110.0));
      }
      assertThat(actingAt(t)).as("at %s", t).isEmpty();
    }
  }

  /** Delivers the reports that were on their way while the AppMaster was paused. */
  private void reportsOfThePause(double at) {
    for (int i = 0; i < attempts.size(); i++) {
      attempts.get(i).report(at, SubPhase.MAP, (STOP + i / 10.0) / 100);
    }
  }

  private void assertNobodyIsCopiedFrom(int first) {
    for (int t = first; t < 90; t++) {
      report(t, true, i -> true);
      assertThat(actingAt(t + 0.5)).as("at %s", t).isEmpty();
    }
  }

  @Test
  void reportsFromBeforeAPauseOfTheAppMasterCondemnNobodyThoughTheyComeBeforeItLooks() {
    begin(10);
    assertThat(firstAct(STOP, true, i -> true)).isEqualTo(-1);
    reportsOfThePause(STOP + 8);
    assertThat(actingAt(STOP + 8)).isEmpty();
    assertNobodyIsCopiedFrom(STOP + 9);
  }

  @Test
  void norDoTheyIfTheyComeAfterIt() {
    begin(10);
    assertThat(firstAct(STOP, true, i -> true)).isEqualTo(-1);
    assertThat(actingAt(STOP + 8)).isEmpty();
    reportsOfThePause(STOP + 8.1);
    assertThat(actingAt(STOP + 8.2)).isEmpty();
    assertNobodyIsCopiedFrom(STOP + 9);
  }

  @Test
  void whatWasDoneInThePauseMakesNobodyLookFast() {
    begin(10);
    assertThat(firstAct(STOP, true, i -> true)).isEqualTo(-1);
    reportsOfThePause(STOP + 8);
    for (int t = STOP + 9; t < STOP + 20; t++) {
      report(t, true, i -> true);
      NewAttemptEstimator fresh = new NewAttemptEstimator(phase, false);
      double tNew = fresh.estimate(attempts.get(0).task()).orElseThrow().mean();
      assertThat(tNew).as("at %s", t).isBetween(95.0, 105.0);
    }
  }

  @Test
  void norOneThatHadDoneItsWorkBeforeThePause() {
    begin(10);
    assertThat(firstAct(STOP, true, i -> false)).isEqualTo(-1);
    attempts.get(0).report(STOP, SubPhase.MAP, 1);
    int longerThanAMap = STOP + 150;
    assertThat(pass(policy, RestartSettings.DEFAULT, longerThanAMap))
        .extracting(Decision::rule)
        .containsOnly(Rule.CORRELATED_STALL);
  }

  @Test
  void oneOfManyThatStopsIsCopiedAsEver() {
    begin(10);
    assertThat(firstAct(60, true, i -> i > 0)).isBetween(STOP, STOP + 7);
  }

  @Test
  void soAreTheLastTwo() {
    begin(2);
    assertThat(firstAct(60, true, i -> false)).isBetween(STOP, STOP + 7);
  }

  @Test
  void soAreAllOfOneMachine() {
    for (int i = 0; i < 6; i++) {
      AttemptModel attempt = phase.addTask(1000).addAttempt(0, 0);
      attempt.launched(0, "dead");
      attempts.add(attempt);
    }
    assertThat(firstAct(60, true, i -> false)).isBetween(STOP, STOP + 7);
  }

  @Test
  void soAreThoseThatStopOneAfterTheOther() {
    begin(9);
    for (int t = 0; t <= 60; t++) {
      for (int i = 0; i < attempts.size(); i++) {
        attempts.get(i).report(t, SubPhase.MAP, Math.min(t, STOP + 2 * i) / 100.0);
      }
      if (!actingAt(t).isEmpty()) {
        assertThat(t).isBetween(STOP, STOP + 7);
        return;
      }
    }
    throw new AssertionError("nobody was copied");
  }

  /** The time of a stall is not theirs, though they take longer than any before. */
  @Test
  void afterAStallShortMapsAreNotLate() {
    PhaseModel shortMaps = Herd.maps();
    done(shortMaps, 10, 1000, 4);
    List<AttemptModel> held = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      held.add(start(shortMaps.addTask(1000), 0));
    }
    Demand waiting = new Demand(true, OptionalInt.empty());
    for (int t = 0; t <= 16; t++) {
      for (AttemptModel attempt : held) {
        double worked = t <= 2 ? t : Math.max(2, t - 10); // nothing from 2 to 12
        attempt.report(t, SubPhase.MAP, Math.min(0.99, worked / 6));
      }
      for (Demand demand : List.of(waiting, Demand.NONE_WAITING)) {
        List<Decision> decisions = policy.decide(shortMaps, demand, t);
        assertThat(decisions).as("at %d", t).allMatch(d -> d.action() == Action.LEAVE);
      }
    }
  }
}
