// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import static io.drover.core.Herd.done;
import static io.drover.core.Herd.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.drover.core.Herd;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Demand;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.Rule;
import io.drover.core.model.SubPhase;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SlowMachinesTest {
  private final PhaseModel phase = Herd.maps();
  private final SlowMachines slow = new SlowMachines(2);
  private final MantriRestart policy = new MantriRestart(RestartSettings.MANTRI);

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

  private List<Decision> pass() {
    return policy.decide(phase, Demand.NONE_WAITING, 8);
  }

  @Test
  void machineWithTwoOutliersIsFoundOnce() {
    on("m", 80);
    on("m", 80);
    assertThat(slow.observe(phase, pass())).containsExactly("m");
    assertThat(slow.observe(phase, pass())).isEmpty();
  }

  @Test
  void oneOutlierSaysNothingOfItsMachineHoweverOftenItIsSeen() {
    on("m", 80);
    assertThat(slow.observe(phase, pass())).isEmpty();
    assertThat(slow.observe(phase, pass())).isEmpty();
  }

  @Test
  void outliersAmongAsManyOthersSayNothingOfTheirMachine() {
    on("m", 80);
    on("m", 80);
    on("m", 10);
    on("m", 10);
    assertThat(slow.observe(phase, pass())).isEmpty();
  }

  @Test
  void outliersOnDifferentMachinesDoNotAddUp() {
    on("m", 80);
    on("n", 80);
    assertThat(slow.observe(phase, pass())).isEmpty();
  }

  private static final int ROOM = 10;

  private final PhaseModel reduces = Herd.reduces();

  private AttemptModel reduceOn(String machine) {
    AttemptModel attempt = reduces.addTask().addAttempt(0, 0);
    attempt.launched(0, machine);
    attempt.report(1, SubPhase.SHUFFLE, 0);
    return attempt;
  }

  private List<Decision> reducePass(int freeSlots) {
    return slow.copyWaiting(policy.decide(reduces, Demand.NONE_WAITING, 8), freeSlots);
  }

  private void findSlowMachine() {
    on("m", 80);
    on("m", 80);
    assertThat(slow.observe(phase, pass())).containsExactly("m");
  }

  @Test
  void reducesThatWaitOnASlowMachineGetACopy() {
    AttemptModel there = reduceOn("m");
    AttemptModel elsewhere = reduceOn("n");
    assertThat(reducePass(ROOM)).extracting(Decision::rule).containsOnly(Rule.INPUTS_MISSING);
    findSlowMachine();
    assertThat(reducePass(ROOM))
        .extracting(d -> d.attempt().orElseThrow(), Decision::rule, Decision::action)
        .containsExactlyInAnyOrder(
            tuple(there, Rule.WAITS_ON_SLOW_MACHINE, Action.DUPLICATE),
            tuple(elsewhere, Rule.INPUTS_MISSING, Action.LEAVE));
  }

  @Test
  void noMoreWaitingReducesAreCopiedThanThereIsRoomFor() {
    reduceOn("m");
    reduceOn("m");
    reduceOn("m");
    findSlowMachine();
    assertThat(reducePass(2)).filteredOn(d -> d.action() == Action.DUPLICATE).hasSize(2);
    assertThat(reducePass(0)).allMatch(d -> d.action() == Action.LEAVE);
  }

  @Test
  void reduceWhoseInputIsThereIsJudgedByItsPaceAlone() {
    reduceOn("m");
    findSlowMachine();
    reduces.inputsReady(7);
    assertThat(reducePass(ROOM)).allMatch(d -> d.action() == Action.LEAVE);
  }

  @Test
  void waitingReduceIsCopiedOnceEvenIfItsCopyIsLost() {
    AttemptModel first = reduceOn("m");
    findSlowMachine();
    first.task().copied(2);
    AttemptModel copy = first.task().addAttempt(1, 2);
    copy.launched(3, "n");
    assertThat(reducePass(ROOM)).allMatch(d -> d.action() == Action.LEAVE);
    copy.ended(AttemptState.KILLED, 5);
    assertThat(reducePass(ROOM)).extracting(Decision::rule).containsOnly(Rule.INPUTS_MISSING);
  }

  @Test
  void copiesOfThoseThatWaitSayNothingOfTheirMachine() {
    findSlowMachine();
    reduceOn("m");
    reduceOn("m");
    SlowMachines another = new SlowMachines(1);
    assertThat(another.observe(reduces, reducePass(ROOM))).isEmpty();
  }

  @Test
  void atLeastOneOutlierIsNeeded() {
    assertThatThrownBy(() -> new SlowMachines(0)).hasMessageContaining("outliers");
  }
}
