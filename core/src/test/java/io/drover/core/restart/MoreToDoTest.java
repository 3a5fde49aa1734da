// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import static io.drover.core.Herd.done;
import static io.drover.core.Herd.running;
import static io.drover.core.Herd.start;
import static io.drover.core.Herd.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.Herd;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Decision;
import io.drover.core.model.Demand;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.Rule;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskModel;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Ten maps of 1,000 bytes took 10 s each. One more has as many bytes, and is slow. */
class MoreToDoTest {
  private static final Demand WAITING = new Demand(true, OptionalInt.empty());
  private static final Demand NONE = Demand.NONE_WAITING;

  private final MantriRestart policy = new MantriRestart(RestartSettings.DEFAULT);
  private final PhaseModel phase = Herd.maps();

  MoreToDoTest() {
    done(phase, 10, 1000, 10);
  }

  private Decision of(TaskModel task, Demand demand, double now) {
    List<Decision> decisions = policy.decide(phase, demand, now);
    DecisionVerifier.verify(phase, demand, RestartSettings.DEFAULT, now, decisions);
    return decisions.stream().filter(d -> d.task() == task).findFirst().orElseThrow();
  }

  @Test
  void oneInFourHasMoreToDoSoItIsCopiedAndNotKilled() {
    TaskModel task = running(phase, 1000, 120, 10).task();
    Decision decision = of(task, WAITING, 10);
    assertThat(decision.rule()).isEqualTo(Rule.COPY_SAVES_RESOURCES);
    assertThat(decision.evidence().fresh().getAsDouble())
        .isCloseTo(0.75 * 10 + 0.25 * 120, within(1e-9));
    assertThat(decision.evidence().probability()).hasValue(0.75);
  }

  @Test
  void soIsTheOnlyReduceWithDataWhereTheOthersEndWhenTheyBegin() {
    PhaseModel reduces = Herd.reduces();
    reduces.inputsReady(0);
    for (int i = 0; i < 10; i++) {
      AttemptModel empty = start(reduces.addTask(), 0);
      empty.enter(SubPhase.REDUCE, 3.01); // its host's clock is ahead
      empty.ended(AttemptState.SUCCEEDED, 3);
    }
    AttemptModel full = start(reduces.addTask(), 0);
    full.enter(SubPhase.REDUCE, 3);
    work(full, 3, 20, 120);
    assertThat(policy.decide(reduces, WAITING, 20))
        .extracting(Decision::rule)
        .containsExactly(Rule.COPY_SAVES_RESOURCES);
  }

  @Test
  void whatBecameOfSlowTasksOfEarlierJobsCounts() {
    TaskModel task = running(phase, 1000, 120, 10).task();
    policy.earlierJobs(new SlowTasks(0, 20));
    assertThat(of(task, WAITING, 10).rule())
        .as("nearly none had more to do: (4/4 + 0) / (4 + 20)")
        .isEqualTo(Rule.RESTART_PAYS);
    policy.earlierJobs(new SlowTasks(20, 0));
    assertThat(of(task, WAITING, 10).rule()).as("nearly all had").isEqualTo(Rule.ON_COURSE);
  }

  @Test
  void whatBecomesOfSlowTasksIsCounted() {
    TaskModel more = running(phase, 1000, 120, 20).task();
    work(start(more, 10), 10, 20, 120);
    assertThat(MantriRestart.slowTasks(phase, 20)).isEqualTo(new SlowTasks(1, 0));
    TaskModel alike = running(phase, 1000, 120, 20).task();
    work(start(alike, 10), 10, 18, 10);
    assertThat(MantriRestart.slowTasks(phase, 20)).isEqualTo(new SlowTasks(1, 1));
  }

  /** Another job makes all of a last wave three times as slow, and one of it gets a copy. */
  @Test
  void whatIsSlowTogetherWithMostThatBeganWhenItDidIsNotCounted() {
    List<AttemptModel> wave = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      wave.add(start(phase.addTask(1000), 12));
      work(wave.get(i), 12, 30, 30);
    }
    AttemptModel copy = start(wave.get(0).task(), 16);
    work(copy, 16, 30, 30);
    assertThat(MantriRestart.slowTasks(phase, 30)).isEqualTo(SlowTasks.NONE);
    copy.ended(AttemptState.KILLED, 30);
    wave.forEach(attempt -> attempt.ended(AttemptState.SUCCEEDED, 42));
    assertThat(MantriRestart.slowTasks(phase, 42)).isEqualTo(SlowTasks.NONE);
  }

  @Test
  void whatIsLeftAtTheEndOfAPhaseIsCountedThoughAllThatRunsThenIsSlow() {
    for (int i = 0; i < 4; i++) {
      work(start(running(phase, 1000, 120, 20).task(), 10), 10, 20, 120);
    }
    assertThat(MantriRestart.slowTasks(phase, 20)).isEqualTo(new SlowTasks(4, 0));
  }

  @Test
  void aCopyOfATaskThatHasMoreToDoIsNoLossOfTime() {
    TaskModel task = running(phase, 1000, 120, 10).task();
    Decision decision = of(task, NONE, 10);
    assertThat(decision.rule()).isEqualTo(Rule.COPY_SAVES_TIME);
    assertThat(decision.evidence().remaining().getAsDouble()).isCloseTo(110, within(1e-9));
    assertThat(decision.evidence().fresh().getAsDouble())
        .as("its first attempt ends by then")
        .isCloseTo(0.75 * 10 + 0.25 * 110, within(1e-9));
  }

  @Test
  void whereOthersAreSlowTheMachineIsToBlame() {
    TaskModel task = phase.addTask(1000);
    for (TaskModel on : List.of(phase.addTask(1000), task)) {
      AttemptModel attempt = on.addAttempt(0, 0);
      attempt.launched(0, "slow");
      work(attempt, 0, 10, 120);
    }
    assertThat(of(task, WAITING, 10).rule()).isEqualTo(Rule.RESTART_PAYS);
  }

  /** Two kinds of input with as many bytes a split; each machine runs five of either kind. */
  @Test
  void whereOthersAreAsSlowElsewhereNoMachineIsToBlame() {
    PhaseModel mixed = Herd.maps();
    for (int i = 0; i < 40; i++) {
      AttemptModel attempt = mixed.addTask(1000).addAttempt(0, 0);
      attempt.launched(0, "m" + i / 10);
      work(attempt, 0, 15, i % 2 == 0 ? 20 : 200);
    }
    assertThat(policy.decide(mixed, WAITING, 15))
        .extracting(Decision::rule)
        .doesNotContain(Rule.RESTART_PAYS);
  }

  /** Most attempts ran on one machine, so that its slow ones make the mean. */
  @Test
  void norIfTheyAreSlowOnlyBesideTheMeanElsewhere() {
    PhaseModel mixed = Herd.maps();
    for (int i = 0; i < 160; i++) {
      AttemptModel attempt = mixed.addTask(1000).addAttempt(0, 0);
      attempt.launched(0, i < 40 ? "m" + i : "slow");
      boolean isSlow = i < 40 ? i < 12 : i < 40 + 62;
      work(attempt, 0, 60, isSlow ? 1000 : 400);
    }
    List<Decision> decisions = policy.decide(mixed, WAITING, 60);
    DecisionVerifier.verify(mixed, WAITING, RestartSettings.DEFAULT, 60, decisions);
    assertThat(decisions).extracting(Decision::rule).doesNotContain(Rule.RESTART_PAYS);
  }

  @Test
  void aMachineThatHasBecomeSlowIsToBlameHoweverManyRanThereBefore() {
    for (int i = 0; i < 50; i++) {
      AttemptModel before = phase.addTask(1000).addAttempt(0, 0);
      before.launched(0, "slow");
      work(before, 0, 9, 10);
      before.ended(AttemptState.SUCCEEDED, 10);
      done(phase, 3, 1000, 10); // elsewhere
    }
    TaskModel task = phase.addTask(1000);
    for (TaskModel on : List.of(phase.addTask(1000), task)) {
      AttemptModel attempt = on.addAttempt(0, 10);
      attempt.launched(10, "slow");
      work(attempt, 10, 20, 120);
    }
    assertThat(of(task, WAITING, 20).rule()).isEqualTo(Rule.RESTART_PAYS);
  }

  @Test
  void whatASlowMachineDelaysByLessThanHalfIsNotKilled() {
    TaskModel task = phase.addTask(1000);
    for (TaskModel on : List.of(phase.addTask(1000), task)) {
      AttemptModel attempt = on.addAttempt(0, 0);
      attempt.launched(0, "slow");
      work(attempt, 0, 6, 20);
    }
    Decision decision = of(task, WAITING, 6);
    assertThat(decision.evidence().remaining().getAsDouble()).isCloseTo(14, within(1e-9));
    assertThat(decision.evidence().fresh().getAsDouble())
        .as("a kill would save nearly 4 s, and Delta is 1")
        .isCloseTo(10, within(0.5));
    assertThat(decision.rule()).isEqualTo(Rule.ON_COURSE);
  }

  @Test
  void ofATaskWhoseSecondAttemptIsAsSlowNoThirdIsMade() {
    TaskModel task = running(phase, 1000, 120, 20).task();
    work(start(task, 10), 10, 20, 120);
    assertThat(of(task, NONE, 20).rule()).isEqualTo(Rule.ON_COURSE);
    assertThat(of(task, WAITING, 20).rule()).isEqualTo(Rule.ON_COURSE);
    DecisionVerifier.verifySlowerAttempts(phase, 20, ended(20));
    assertThat(ended(20))
        .as("the younger one ends")
        .extracting(decision -> decision.attempt().orElseThrow().number())
        .containsExactly(1);
  }

  @Test
  void norIsItWhereOthersHaveHardlyAnythingToDo() {
    PhaseModel quick = Herd.maps();
    for (int i = 0; i < 20; i++) {
      AttemptModel attempt = start(quick.addTask(), 0);
      attempt.report(3, SubPhase.MAP, 0.5);
      attempt.ended(AttemptState.SUCCEEDED, 3.002);
    }
    AttemptModel first = running(quick, 0, 120, 20);
    work(start(first.task(), 10), 10, 20, 120);
    assertThat(policy.decide(quick, WAITING, 20))
        .as("its second attempt is as slow")
        .extracting(Decision::rule)
        .containsExactly(Rule.ON_COURSE);
  }

  private List<Decision> ended(double now) {
    return new SlowerAttemptRule(1).decide(phase, NONE, now);
  }

  @Test
  void ofATaskWhoseKilledAttemptWasAsSlowNoneIsMade() {
    AttemptModel first = running(phase, 1000, 120, 10);
    first.task().restarted(first);
    first.ended(AttemptState.KILLED, 10);
    work(start(first.task(), 10), 10, 30, 120);
    assertThat(of(first.task(), WAITING, 30).rule()).isEqualTo(Rule.ON_COURSE);
  }

  @Test
  void anAttemptAtTheUsualPaceShowsThatTheTaskIsLikeOthers() {
    TaskModel task = running(phase, 1000, 120, 10).task();
    AttemptModel second = start(task, 10);
    work(second, 10, 14, 10);
    second.ended(AttemptState.FAILED, 14);
    Decision decision = of(task, NONE, 14);
    assertThat(decision.rule()).isEqualTo(Rule.COPY_SAVES_TIME);
    assertThat(decision.evidence().fresh().getAsDouble()).isCloseTo(10, within(0.1));
  }

  @Test
  void whatWasKilledBeforeItShowedAPaceSaysNothingEither() {
    TaskModel task = running(phase, 1000, 120, 30).task();
    AttemptModel second = start(task, 10);
    work(second, 10, 14, 1000); // it has just begun to read
    second.ended(AttemptState.KILLED, 14);
    Decision decision = of(task, WAITING, 30);
    assertThat(decision.evidence().fresh().getAsDouble())
        .as("one slow attempt, not two")
        .isCloseTo(0.75 * 10 + 0.25 * 120, within(1e-9));
  }

  @Test
  void whatHasStoppedSaysNothingAboutItsTask() {
    TaskModel task = running(phase, 1000, 20, 5).task();
    Decision decision = of(task, NONE, 60);
    assertThat(decision.rule()).isEqualTo(Rule.COPY_SAVES_TIME);
    assertThat(decision.evidence().remaining()).hasValue(Double.POSITIVE_INFINITY);
  }

  @Test
  void howMuchMoreItHasToDoIsAsTheAttemptSaysThatHasDoneMost() {
    TaskModel task = running(phase, 1000, 40, 20).task();
    work(start(task, 10), 10, 20, 120);
    Decision decision = of(task, WAITING, 20);
    double odds = 10 * 0.4 / 0.6; // the prior 1 of 4, and this task; and that two are slow
    assertThat(decision.evidence().fresh().getAsDouble())
        .isCloseTo((10 + odds * 4 * 10) / (1 + odds), within(1e-9));
  }

  /** Two thirds of the tasks take 20 s, and one third takes 100 s for as many bytes. */
  @Test
  void noCopyIsMadeWhereManyTasksHaveShownThatCopiesAreAsSlow() {
    PhaseModel mixed = Herd.maps();
    done(mixed, 20, 1000, 20);
    for (int i = 0; i < 10; i++) {
      AttemptModel first = running(mixed, 1000, 100, 99);
      AttemptModel copy = start(first.task(), 20);
      work(copy, 20, 40, 100);
      copy.ended(AttemptState.KILLED, 40);
      first.ended(AttemptState.SUCCEEDED, 100);
    }
    running(mixed, 1000, 100, 40);
    List<Decision> decisions = policy.decide(mixed, WAITING, 40);
    DecisionVerifier.verify(mixed, WAITING, RestartSettings.DEFAULT, 40, decisions);
    assertThat(decisions.get(0).evidence().remaining().getAsDouble()).isCloseTo(60, within(1e-9));
    assertThat(decisions.get(0).rule()).isEqualTo(Rule.ON_COURSE);
  }
}
