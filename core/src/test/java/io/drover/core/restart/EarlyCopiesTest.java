// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import static org.assertj.core.api.Assertions.assertThat;
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
import java.util.Set;
import org.junit.jupiter.api.Test;

class EarlyCopiesTest {
  private static final int ROOM = 10;

  private final PhaseModel reduces = Herd.reduces();
  private final MantriRestart policy = new MantriRestart(RestartSettings.MANTRI);

  private AttemptModel reduceOn(String machine) {
    AttemptModel attempt = reduces.addTask().addAttempt(0, 0);
    attempt.launched(0, machine);
    attempt.report(1, SubPhase.SHUFFLE, 0);
    return attempt;
  }

  private List<Decision> pass(int freeSlots) {
    return pass(policy, freeSlots);
  }

  private List<Decision> pass(MantriRestart policy, int freeSlots) {
    return pass(policy, 0, freeSlots);
  }

  /** A pass 8 s after the start of all attempts. */
  private List<Decision> pass(MantriRestart policy, double leastRunSeconds, int freeSlots) {
    return EarlyCopies.copyWaiting(
        policy.decide(reduces, Demand.NONE_WAITING, 8),
        "bad"::equals,
        policy::mayBeCopied,
        leastRunSeconds,
        freeSlots);
  }

  @Test
  void reducesThatWaitOnABadMachineGetACopy() {
    AttemptModel there = reduceOn("bad");
    AttemptModel elsewhere = reduceOn("n");
    assertThat(pass(ROOM))
        .extracting(d -> d.attempt().orElseThrow(), Decision::rule, Decision::action)
        .containsExactlyInAnyOrder(
            tuple(there, Rule.WAITS_ON_SLOW_MACHINE, Action.DUPLICATE),
            tuple(elsewhere, Rule.INPUTS_MISSING, Action.LEAVE));
  }

  @Test
  void noMoreOfThemAreCopiedThanThereIsRoomFor() {
    reduceOn("bad");
    reduceOn("bad");
    reduceOn("bad");
    assertThat(pass(2)).filteredOn(d -> d.action() == Action.DUPLICATE).hasSize(2);
    assertThat(pass(0)).allMatch(d -> d.action() == Action.LEAVE);
  }

  @Test
  void whatMayNotBeCopiedTakesNoRoom() {
    reduceOn("bad").task().forbidCopies();
    AttemptModel other = reduceOn("bad");
    assertThat(pass(1))
        .filteredOn(d -> d.action() == Action.DUPLICATE)
        .extracting(d -> d.attempt().orElseThrow())
        .containsExactly(other);
    assertThat(pass(new MantriRestart(RestartSettings.MANTRI.within(1, 3)), ROOM))
        .as("where only one attempt may run")
        .allMatch(d -> d.action() == Action.LEAVE);
  }

  @Test
  void reduceWhoseInputIsThereIsJudgedByItsPaceAlone() {
    reduceOn("bad");
    reduces.inputsReady(7);
    assertThat(pass(ROOM)).allMatch(d -> d.action() == Action.LEAVE);
  }

  @Test
  void waitingReduceIsCopiedOnceEvenIfItsCopyIsLost() {
    AttemptModel first = reduceOn("bad");
    first.task().copied(2);
    AttemptModel copy = first.task().addAttempt(1, 2);
    copy.launched(3, "n");
    assertThat(pass(ROOM)).allMatch(d -> d.action() == Action.LEAVE);
    copy.ended(AttemptState.KILLED, 5);
    assertThat(pass(ROOM)).extracting(Decision::rule).containsOnly(Rule.INPUTS_MISSING);
  }

  @Test
  void reduceThatHasNotRunForTheLeastTimeIsCopiedOnlyOffADeadMachine() {
    reduceOn("bad");
    assertThat(pass(policy, 8.1, ROOM))
        .extracting(Decision::rule)
        .containsOnly(Rule.INPUTS_MISSING);
    assertThat(pass(policy, 8, ROOM))
        .extracting(Decision::rule)
        .containsOnly(Rule.WAITS_ON_SLOW_MACHINE);
    reduces.liveness().dead(Set.of("bad"));
    assertThat(pass(policy, 8.1, ROOM)).extracting(Decision::rule).containsOnly(Rule.MACHINE_DEAD);
  }

  @Test
  void whatRunsOnADeadMachineIsCopiedThoughTooLittleIsKnownOfIt() {
    AttemptModel waiting = reduceOn("dead");
    AttemptModel begun = reduces.addTask().addAttempt(0, 0);
    begun.launched(0, "dead");
    AttemptModel elsewhere = reduceOn("n");
    reduces.liveness().dead(Set.of("dead"));
    assertThat(pass(ROOM))
        .extracting(d -> d.attempt().orElseThrow(), Decision::rule)
        .containsExactlyInAnyOrder(
            tuple(waiting, Rule.MACHINE_DEAD),
            tuple(begun, Rule.MACHINE_DEAD),
            tuple(elsewhere, Rule.INPUTS_MISSING));
    assertThat(pass(1)).filteredOn(d -> d.action() == Action.DUPLICATE).hasSize(1);
    reduces.liveness().dead(Set.of());
    assertThat(pass(ROOM)).allMatch(d -> d.action() == Action.LEAVE);
  }
}
