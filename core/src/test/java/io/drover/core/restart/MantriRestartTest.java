// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import static io.drover.core.Herd.done;
import static io.drover.core.Herd.running;
import static io.drover.core.Herd.start;
import static io.drover.core.Herd.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.Herd;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Demand;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.Rule;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ten maps of 1,000 bytes took 10 s each. Delta is 1 s. No attempt waits long for a slot. */
class MantriRestartTest {
  private static final Demand WAITING = new Demand(true, OptionalInt.empty());
  private static final Demand NONE = Demand.NONE_WAITING;

  private final MantriRestart policy = new MantriRestart(RestartSettings.MANTRI);
  private final PhaseModel phase = Herd.maps();

  MantriRestartTest() {
    done(phase, 10, 1000, 10);
  }

  private Decision only(Demand demand, double now) {
    List<Decision> decisions = policy.decide(phase, demand, now);
    DecisionVerifier.verify(phase, demand, RestartSettings.MANTRI, now, decisions);
    assertThat(decisions).hasSize(1);
    return decisions.get(0);
  }

  @Test
  void aTaskAtTheUsualPaceIsLeftAlone() {
    running(phase, 1000, 10, 5);
    assertThat(only(WAITING, 5).rule()).isEqualTo(Rule.ON_COURSE);
    assertThat(only(NONE, 5).rule()).isEqualTo(Rule.ON_COURSE);
  }

  @Test
  void aTaskAtAnEighthOfThePaceIsDuplicatedWhenNothingWaits() {
    running(phase, 1000, 80, 10);
    Decision decision = only(NONE, 10);
    assertThat(decision.rule()).isEqualTo(Rule.COPY_SAVES_TIME);
    double fresh = 10; // without the pace of its own machine
    assertThat(decision.evidence().remaining().getAsDouble()).isCloseTo(70, within(1e-9));
    assertThat(decision.evidence().fresh().getAsDouble()).isCloseTo(fresh, within(1e-9));
    assertThat(decision.evidence().threshold()).hasValue(3);
    assertThat(decision.evidence().observations()).isEqualTo(10);
  }

  @Test
  void aTaskAtAnEighthOfThePaceIsKilledAndRestartedWhenTasksWait() {
    AttemptModel slow = running(phase, 1000, 80, 10);
    Decision decision = only(WAITING, 10);
    assertThat(decision.rule()).isEqualTo(Rule.RESTART_PAYS);
    assertThat(decision.attempt()).contains(slow);
  }

  @Test
  void aTaskWithSixTimesTheDataIsNeverTouched() {
    AttemptModel skewed = start(phase.addTask(6000), 0);
    for (int t = 0; t < 60; t++) {
      skewed.report(t, SubPhase.MAP, t / 60.0, t * 100);
      for (Demand demand : List.of(NONE, WAITING)) {
        assertThat(only(demand, t).action()).as("at %s", t).isEqualTo(Action.LEAVE);
      }
    }
  }

  @Test
  void aReduceWithSixTimesTheDataIsNeverTouchedNotEvenWhileItFetches() {
    PhaseModel reduces = Herd.reduces();
    reduces.inputsReady(0);
    for (int i = 0; i < 5; i++) {
      reduce(reduces, 1, 0, 100);
    }
    TaskModel skewed = reduces.addTask();
    start(skewed, 0);
    AttemptModel attempt = skewed.lastAttempt();
    for (int t = 0; t <= 60; t++) {
      attempt.task().fetched(t * 100, t / 60.0);
      attempt.report(t, SubPhase.SHUFFLE, t / 60.0);
      for (Demand demand : List.of(NONE, WAITING)) {
        List<Decision> decisions = policy.decide(reduces, demand, t);
        DecisionVerifier.verify(reduces, demand, RestartSettings.MANTRI, t, decisions);
        assertThat(decisions.get(0).action()).as("at %s", t).isEqualTo(Action.LEAVE);
      }
    }
  }

  private static void reduce(PhaseModel phase, int factor, double from, long bytesASecond) {
    AttemptModel attempt = start(phase.addTask(), from);
    for (int t = 0; t <= 10 * factor; t++) {
      attempt.task().fetched(t * bytesASecond, t / (10.0 * factor));
      attempt.report(from + t, SubPhase.SHUFFLE, t / (10.0 * factor));
    }
    double merged = from + 12 * factor;
    attempt.enter(SubPhase.SORT, from + 10 * factor);
    attempt.enter(SubPhase.REDUCE, merged);
    work(attempt, merged, merged + 20 * factor - 1, 20 * factor);
    attempt.ended(AttemptState.SUCCEEDED, merged + 20 * factor);
  }

  @Test
  void aTaskIsKilledAndRestartedAtMostGammaTimes() {
    TaskModel task = running(phase, 1000, 80, 10).task();
    double now = 10;
    for (int kill = 1; kill <= 3; kill++) {
      assertThat(only(WAITING, now).rule()).isEqualTo(Rule.RESTART_PAYS);
      task.restarted(task.lastAttempt());
      task.lastAttempt().ended(AttemptState.KILLED, now);
      work(start(task, now), now, now + 10, 80);
      now += 10;
    }
    Decision decision = only(WAITING, now);
    assertThat(decision.evidence().kills()).isEqualTo(3);
    assertThat(decision.rule()).as("a copy is still allowed").isEqualTo(Rule.COPY_SAVES_RESOURCES);
  }

  @Test
  void withoutRestartsLeftAndNothingToSaveTheReasonIsNamed() {
    PhaseModel mixed = Herd.maps();
    done(mixed, 4, 1000, 40);
    TaskModel task = running(mixed, 1000, 64, 10).task(); // t_rem 54, E[t_new] 44.8, half 27
    for (int i = 0; i < 3; i++) {
      task.restarted(task.lastAttempt());
    }
    List<Decision> decisions = policy.decide(mixed, WAITING, 10);
    DecisionVerifier.verify(mixed, WAITING, RestartSettings.MANTRI, 10, decisions);
    assertThat(decisions.get(0).rule()).isEqualTo(Rule.ENOUGH_RESTARTS);
  }

  @Test
  void whileTasksWaitACopyNeedsMoreThanDeltaChanceToSaveSlotTime() {
    // Rates: three or four of 10 s among twelve, the others of 40 s. t_rem 21, half 10.5.
    for (int fast : new int[] {3, 4}) {
      PhaseModel mixed = Herd.maps();
      done(mixed, fast, 1000, 10);
      done(mixed, 12 - fast, 1000, 40);
      running(mixed, 1000, 30, 9);
      List<Decision> decisions = policy.decide(mixed, WAITING, 9);
      DecisionVerifier.verify(mixed, WAITING, RestartSettings.MANTRI, 9, decisions);
      Decision decision = decisions.get(0);
      assertThat(decision.evidence().probability()).hasValue(fast / 12.0);
      assertThat(decision.rule()).isEqualTo(fast == 3 ? Rule.ON_COURSE : Rule.COPY_SAVES_RESOURCES);
    }
  }

  @Test
  void withTwoCopiesTheBetterOneMustTakeHalfAsLongAgainAsANewOne() {
    AttemptModel slow = running(phase, 1000, 80, 20);
    work(start(slow.task(), 10), 10, 20, 80);
    Decision decision = only(WAITING, 20);
    assertThat(decision.evidence().copies()).isEqualTo(2);
    assertThat(decision.evidence().remaining().getAsDouble())
        .as("that of the one that ends first")
        .isCloseTo(60, within(1e-9));
    assertThat(decision.attempt()).contains(slow);
    assertThat(decision.rule()).as("P(t_new < 2/3 60)").isEqualTo(Rule.COPY_SAVES_RESOURCES);
  }

  @Test
  void noMoreThanMaxCopiesRun() {
    AttemptModel slow = running(phase, 1000, 80, 10);
    work(start(slow.task(), 10), 10, 20, 80);
    work(start(slow.task(), 10), 10, 20, 80);
    assertThat(only(WAITING, 20).rule()).isEqualTo(Rule.ENOUGH_COPIES);
    assertThat(only(NONE, 20).rule()).isEqualTo(Rule.ENOUGH_COPIES);
  }

  @Test
  void aTaskThatMayNotBeCopiedTakesNoSlotFromOthers() {
    TaskModel barred = running(phase, 1000, 70, 10).task();
    TaskModel other = running(phase, 1000, 80, 10).task();
    barred.forbidCopies();
    Demand oneSlot = new Demand(false, OptionalInt.of(1));
    assertThat(policy.decide(phase, oneSlot, 10))
        .filteredOn(decision -> decision.action() == Action.DUPLICATE)
        .extracting(Decision::task)
        .containsExactly(other);
    assertThat(policy.decide(phase, oneSlot, 10))
        .filteredOn(decision -> decision.task() == barred)
        .extracting(Decision::rule)
        .containsExactly(Rule.ENOUGH_COPIES);
  }

  @Test
  void noDuplicateWhileCommitIsGranted() {
    running(phase, 1000, 80, 10).task().committing(true);
    assertThat(only(WAITING, 10).rule()).isEqualTo(Rule.COMMITTING);
    assertThat(only(NONE, 10).rule()).isEqualTo(Rule.COMMITTING);
  }

  @Test
  void noSecondCopyWhileTheFirstWaitsForItsSlotOrIsTooYoung() {
    TaskModel task = running(phase, 1000, 80, 10).task();
    AttemptModel copy = task.addAttempt(1, 10);
    assertThat(only(NONE, 15).rule()).isEqualTo(Rule.COPY_PENDING);
    copy.launched(15, "elsewhere");
    work(task.attempts().get(0), 0, 16, 80);
    assertThat(only(NONE, 16).rule()).isEqualTo(Rule.COPY_TOO_YOUNG);
    copy.report(16, SubPhase.MAP, 0);
    assertThat(only(NONE, 16).rule()).isEqualTo(Rule.COPY_TOO_YOUNG);
  }

  @Test
  void aCloneThatWaitsForItsContainerStandsInNobodysWay() {
    AttemptModel slow = running(phase, 1000, 80, 10);
    AttemptModel clone = slow.task().addAttempt(1, 0);
    slow.task().cloned(clone);
    assertThat(only(NONE, 10).rule()).isEqualTo(Rule.COPY_SAVES_TIME);
    assertThat(only(WAITING, 10).rule()).isEqualTo(Rule.RESTART_PAYS);
    assertThat(slow.task().copies()).isEqualTo(1);
    clone.assigned("m9");
    assertThat(slow.task().copies()).isEqualTo(2);
    assertThat(only(NONE, 10).rule()).isEqualTo(Rule.COPY_PENDING);
  }

  @Test
  void aTaskWhoseCloneWasAskedForLatelyStillWaits() {
    TaskModel waiting = phase.addTask(1000);
    waiting.addAttempt(0, 0);
    assertThat(Demand.doTasksWait(phase, 10, 3)).isTrue();
    waiting.cloned(waiting.addAttempt(1, 9));
    assertThat(Demand.doTasksWait(phase, 10, 3)).isTrue();
  }

  @Test
  void noCopyIsMadeWhereOneAttemptIsAllowed() {
    running(phase, 1000, 80, 10);
    RestartPolicy alone = new MantriRestart(RestartSettings.MANTRI.within(1, 3));
    assertThat(alone.decide(phase, NONE, 10).get(0).rule()).isEqualTo(Rule.ENOUGH_COPIES);
    assertThat(alone.decide(phase, WAITING, 10).get(0).rule()).isEqualTo(Rule.RESTART_PAYS);
  }

  @Test
  void noSecondCopyWithinDeltaOfTheFirst() {
    TaskModel task = running(phase, 1000, 80, 10).task();
    task.copied(9.5);
    assertThat(only(NONE, 10).rule()).isEqualTo(Rule.COPIED_LATELY);
    task.copied(9);
    assertThat(only(NONE, 10).action()).isEqualTo(Action.DUPLICATE);
  }

  @Test
  void aSilentTaskIsCopiedAndNotKilled() {
    running(phase, 1000, 80, 10);
    Decision decision = only(WAITING, 60);
    assertThat(decision.evidence().remaining()).hasValue(Double.POSITIVE_INFINITY);
    assertThat(decision.rule()).isEqualTo(Rule.COPY_SAVES_RESOURCES);
    assertThat(only(NONE, 60).rule()).isEqualTo(Rule.COPY_SAVES_TIME);
  }

  @Test
  void aTaskThatHasJustBegunIsNotStopped() {
    AttemptModel attempt = start(phase.addTask(1000), 0);
    for (int t = 0; t <= 5; t++) {
      attempt.report(t, SubPhase.MAP, 0);
      assertThat(only(WAITING, t).rule()).isEqualTo(Rule.TOO_FEW_REPORTS);
    }
  }

  @Test
  void itDoesNotKnowWhatNobodyHasTaughtIt() {
    EstimatorSettings two = new EstimatorSettings(Duration.ofSeconds(1), 6, 3, 2);
    PhaseModel young = new PhaseModel(TaskKind.MAP, two);
    running(young, 1000, 80, 10);
    assertThat(policy.decide(young, NONE, 10).get(0).rule()).isEqualTo(Rule.TOO_FEW_OBSERVATIONS);
    AttemptModel fresh = start(young.addTask(1000), 10);
    fresh.report(10, SubPhase.MAP, 0);
    assertThat(policy.decide(young, NONE, 10))
        .extracting(Decision::rule)
        .containsExactlyInAnyOrder(Rule.TOO_FEW_OBSERVATIONS, Rule.TOO_FEW_REPORTS);
  }

  @Test
  void onePeerIsEnoughForACopyAndNotForAKill() {
    PhaseModel two = Herd.maps();
    done(two, 1, 1000, 10);
    running(two, 1000, 800, 60);
    assertThat(policy.decide(two, NONE, 60).get(0).rule()).isEqualTo(Rule.COPY_SAVES_TIME);
    assertThat(policy.decide(two, WAITING, 60).get(0).rule()).isEqualTo(Rule.COPY_SAVES_RESOURCES);
    done(two, 1, 1000, 10);
    assertThat(policy.decide(two, WAITING, 60).get(0).rule())
        .as("two peers and itself")
        .isEqualTo(Rule.COPY_SAVES_RESOURCES);
    done(two, 1, 1000, 10);
    assertThat(policy.decide(two, WAITING, 60).get(0).rule()).isEqualTo(Rule.RESTART_PAYS);
  }

  @Test
  void aSilentTaskWithoutAPeerIsCopied() {
    PhaseModel alone = Herd.maps();
    running(alone, 1000, 20, 6);
    assertThat(policy.decide(alone, NONE, 6).get(0).rule()).isEqualTo(Rule.ON_COURSE);
    assertThat(policy.decide(alone, NONE, 30).get(0).rule()).isEqualTo(Rule.COPY_SAVES_TIME);
  }

  @Test
  void aReduceThatWaitsForMapsIsLeftAlone() {
    PhaseModel reduces = Herd.reduces();
    AttemptModel reduce = start(reduces.addTask(), 0);
    for (int t = 0; t <= 300; t++) {
      reduce.report(t, SubPhase.SHUFFLE, 0.5);
    }
    assertThat(policy.decide(reduces, NONE, 300).get(0).rule()).isEqualTo(Rule.INPUTS_MISSING);
  }

  @Test
  void copiesGoToTheMostPromisingTasksWhereSlotsAreFew() {
    AttemptModel eighth = running(phase, 1000, 80, 10);
    AttemptModel tenth = running(phase, 1000, 100, 10);
    AttemptModel sixth = running(phase, 1000, 60, 10);
    for (int free = -1; free <= 3; free++) {
      Demand demand = new Demand(false, OptionalInt.of(free));
      List<Decision> decisions = policy.decide(phase, demand, 10);
      DecisionVerifier.verify(phase, demand, RestartSettings.MANTRI, 10, decisions);
      assertThat(decisions)
          .extracting(Decision::task)
          .containsExactly(tenth.task(), eighth.task(), sixth.task());
      long copies = decisions.stream().filter(d -> d.action() == Action.DUPLICATE).count();
      assertThat(copies).isEqualTo(Math.max(0, free));
    }
  }

  @Test
  void aCopyThatOnlySavesTimeMustSaveMoreInAJobThatIsLikelyToFail() {
    running(phase, 1000, 80, 10);
    Decision usual = only(new Demand(false, OptionalInt.of(9)), 10);
    assertThat(usual.rule()).isEqualTo(Rule.COPY_SAVES_TIME);
    double saves = usual.evidence().saving().orElseThrow();
    double needs = usual.evidence().threshold().orElseThrow();
    double just = needs / saves;
    assertThat(only(new Demand(false, OptionalInt.of(9), 1.01 * just), 10).rule())
        .isEqualTo(Rule.COPY_SAVES_TIME);
    Decision left = only(new Demand(false, OptionalInt.of(9), 0.99 * just), 10);
    assertThat(left.rule()).isEqualTo(Rule.ON_COURSE);
    assertThat(left.evidence().threshold().orElseThrow()).isGreaterThan(saves);
    assertThat(only(new Demand(false, OptionalInt.of(9), 1e-3), 10).rule())
        .isEqualTo(Rule.ON_COURSE);
    assertThat(only(new Demand(true, OptionalInt.of(9), 1e-3), 10).rule()) // it frees the slot
        .isEqualTo(Rule.RESTART_PAYS);
  }

  @Test
  void aWorthOutsideItsRangeIsRefused() {
    for (double worth : new double[] {-0.1, 0, 1.1, Double.NaN}) {
      assertThatThrownBy(() -> new Demand(false, OptionalInt.empty(), worth))
          .hasMessageContaining("worth");
    }
  }

  @Test
  void aRestartNeedsNoFreeSlot() {
    running(phase, 1000, 80, 10);
    assertThat(only(new Demand(true, OptionalInt.of(0)), 10).rule()).isEqualTo(Rule.RESTART_PAYS);
  }

  @Test
  void attemptThatHasRunForLessThanTheLeastTimeIsLeftAlone() {
    RestartPolicy patient = new MantriRestart(leastRun(12));
    running(phase, 1000, 80, 10);
    for (Demand demand : List.of(NONE, WAITING)) {
      Decision early = patient.decide(phase, demand, 11.5).get(0);
      assertThat(early.rule()).isEqualTo(Rule.RAN_BRIEFLY);
      assertThat(early.evidence().threshold()).hasValue(12);
      assertThat(patient.decide(phase, demand, 12).get(0).action()).isNotEqualTo(Action.LEAVE);
    }
  }

  @Test
  void attemptOnADeadMachineIsNotWaitedFor() {
    AttemptModel young = running(phase, 1000, 80, 10);
    phase.liveness().dead(Set.of(young.machine().orElseThrow()));

    Decision decision = new MantriRestart(leastRun(1000)).decide(phase, NONE, 10).get(0);

    assertThat(decision.action()).isEqualTo(Action.DUPLICATE);
  }

  private static RestartSettings leastRun(double seconds) {
    return new RestartSettings(0.25, 3, 3, 3, 0, 0, 1, seconds);
  }

  @Test
  void settingsOutsideTheirRangeAreRefused() {
    assertThatThrownBy(() -> new RestartSettings(1, 3, 3, 3, 0, 0.25, 1, 0))
        .hasMessageContaining("delta");
    assertThatThrownBy(() -> new RestartSettings(Double.NaN, 3, 3, 3, 0, 0.25, 1, 0))
        .hasMessageContaining("delta");
    assertThatThrownBy(() -> new RestartSettings(0.25, Double.NaN, 3, 3, 0, 0.25, 1, 0))
        .hasMessageContaining("rho");
    assertThatThrownBy(() -> new RestartSettings(0.25, 3, -1, 3, 0, 0.25, 1, 0))
        .hasMessageContaining("Restarts");
    assertThatThrownBy(() -> new RestartSettings(0.25, 3, 3, 0, 0, 0.25, 1, 0))
        .hasMessageContaining("maxCopies");
    assertThatThrownBy(() -> new RestartSettings(0.25, 3, 3, 3, 0, 0.25, 0.9, 0))
        .hasMessageContaining("slowerAttempt");
    assertThatThrownBy(() -> new RestartSettings(0.25, 3, 3, 3, -1, 0.25, 1, 0))
        .hasMessageContaining("correlatedStallWindows");
    assertThatThrownBy(() -> new RestartSettings(0.25, 3, 3, 3, 0, 0.25, 1, -1))
        .hasMessageContaining("leastRunSeconds");
  }

  @Test
  void attemptOnADeadMachineIsCopiedAndNotKilledThoughItWasJustHeardOf() {
    AttemptModel there = running(phase, 1000, 80, 10);
    phase.liveness().dead(Set.of(there.machine().orElseThrow()));
    assertThat(only(WAITING, 10).rule()).isEqualTo(Rule.COPY_SAVES_RESOURCES);
  }

  @Test
  void aReduceThatIsLateInItsMergeIsCopiedAndKeepsWhatItHasFetched() {
    PhaseModel reduces = Herd.reduces();
    reduces.inputsReady(0);
    for (int i = 0; i < 5; i++) {
      reduce(reduces, 1, 0, 100);
    }
    AttemptModel merging = start(reduces.addTask(1000), 0);
    merging.enter(SubPhase.SORT, 10);
    merging.report(60, SubPhase.SORT, 0.5);
    List<Decision> decisions = policy.decide(reduces, WAITING, 60);
    DecisionVerifier.verify(reduces, WAITING, RestartSettings.MANTRI, 60, decisions);
    assertThat(decisions)
        .extracting(Decision::rule)
        .as("it merges 48 s longer than others, and those are not a pace")
        .containsExactly(Rule.COPY_SAVES_RESOURCES);
  }

  /** Launches a map that takes 4 s to start and reports until {@code now}. */
  private static AttemptModel startSlowly(
      PhaseModel maps, String machine, double full, double now) {
    AttemptModel attempt = maps.addTask(1000).addAttempt(0, 0);
    attempt.launched(0, machine);
    work(attempt, 4, now, full);
    return attempt;
  }

  @Test
  void onAStarvedHostTheSecondAttemptIsCopiedBeforeItIsHeardOf() {
    PhaseModel maps = Herd.maps();
    for (int i = 0; i < 10; i++) {
      startSlowly(maps, "well-" + i, 10, 13).ended(AttemptState.SUCCEEDED, 14);
    }
    startSlowly(maps, "starved", 80, 12);
    AttemptModel second = maps.addTask(1000).addAttempt(0, 10);
    second.launched(10, "starved");
    AttemptModel apart = maps.addTask(1000).addAttempt(0, 10);
    apart.launched(10, "apart");
    List<Decision> decisions = policy.decide(maps, NONE, 12);
    DecisionVerifier.verify(maps, NONE, RestartSettings.MANTRI, 12, decisions);
    assertThat(decisions)
        .filteredOn(decision -> decision.action() == Action.DUPLICATE)
        .extracting(decision -> decision.attempt().orElseThrow().machine().orElseThrow())
        .containsExactly("starved", "starved");
    assertThat(decisions)
        .filteredOn(decision -> decision.task() == apart.task())
        .extracting(Decision::rule)
        .containsExactly(Rule.TOO_FEW_REPORTS);
  }
}
