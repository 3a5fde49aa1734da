// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import static io.drover.core.Herd.start;
import static io.drover.core.Herd.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.Herd;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Demand;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.Rule;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskModel;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlowerAttemptRuleTest {
  private final PhaseModel phase = Herd.maps();
  private final TaskModel task = phase.addTask();
  private final SlowerAttemptRule slowerAttempt = new SlowerAttemptRule(1);

  /** Starts an attempt at 0 that has reported until 20. */
  private AttemptModel first(double full) {
    AttemptModel attempt = start(task, 0);
    work(attempt, 0, 20, full);
    return attempt;
  }

  private AttemptModel clone(double full) {
    AttemptModel clone = first(full);
    task.cloned(clone);
    return clone;
  }

  private List<AttemptModel> ended(SlowerAttemptRule policy, double now) {
    List<Decision> decisions = policy.decide(phase, Demand.NONE_WAITING, now);
    DecisionVerifier.verifySlowerAttempts(phase, now, decisions);
    return decisions.stream().map(decision -> decision.attempt().orElseThrow()).toList();
  }

  private List<AttemptModel> ended() {
    return ended(slowerAttempt, 20);
  }

  @Test
  void slowerCloneIsEnded() {
    first(50);
    AttemptModel clone = clone(60);
    List<Decision> decisions = slowerAttempt.decide(phase, Demand.NONE_WAITING, 20);
    assertThat(decisions).hasSize(1);
    Decision decision = decisions.get(0);
    assertThat(decision.attempt()).contains(clone);
    assertThat(decision.rule()).isEqualTo(Rule.SLOWER_ATTEMPT);
    assertThat(decision.action()).isEqualTo(Action.PRUNE);
    assertThat(decision.evidence().remaining()).hasValueCloseTo(40.0, within(1e-9));
    assertThat(decision.evidence().threshold()).hasValueCloseTo(30.0, within(1e-9));
  }

  @Test
  void noAttemptIsEndedForACloneButAnotherClone() {
    first(60);
    AttemptModel faster = clone(50);
    AttemptModel between = clone(55);
    clone(45);
    assertThat(ended()).containsExactly(between).doesNotContain(faster);
  }

  @Test
  void firstAttemptAndCloneAreEndedForACopyThatIsFaster() {
    AttemptModel first = first(60);
    AttemptModel clone = clone(50);
    first(45);
    assertThat(ended()).containsExactly(first, clone);
  }

  @Test
  void ofTwoCopiesTheSlowerIsEndedWhicheverIsOlder() {
    AttemptModel slower = first(60);
    first(50);
    assertThat(ended()).containsExactly(slower);
    slower.ended(AttemptState.KILLED, 20);
    AttemptModel another = first(55);
    assertThat(ended()).containsExactly(another);
  }

  @Test
  void attemptThatIsAheadStaysHoweverFastTheOtherSeems() {
    AttemptModel ahead = first(100); // 0.2 of its work
    AttemptModel fast = start(task, 15);
    work(fast, 15, 20, 30); // 0.17 of it
    assertThat(ended()).isEmpty();
    work(fast, 15, 22, 30);
    work(ahead, 0, 22, 100);
    assertThat(ended(slowerAttempt, 22)).as("it has been overtaken").containsExactly(ahead);
  }

  /** It may go on: a read of HDFS times out after 60 s, and it has nearly done its work. */
  @Test
  void attemptThatStandsStillIsEndedOnceThatHasTakenAsLongAsTheOtherNeedsToOvertakeIt() {
    PhaseModel others = Herd.maps();
    AttemptModel stopped = start(others.addTask(), 0);
    work(stopped, 0, 540, 600); // 0.9 of its work
    AttemptModel copy = start(stopped.task(), 555);
    for (int t = 555; t < 817; t++) {
      copy.report(t, SubPhase.MAP, (t - 555) / 600.0);
      List<Decision> decisions = slowerAttempt.decide(others, Demand.NONE_WAITING, t);
      DecisionVerifier.verifySlowerAttempts(others, t, decisions);
      assertThat(decisions).as("at %s", t).isEmpty();
    }
    copy.report(818, SubPhase.MAP, 263 / 600.0); // it needs 277 s more to reach 0.9
    List<Decision> decisions = slowerAttempt.decide(others, Demand.NONE_WAITING, 818);
    DecisionVerifier.verifySlowerAttempts(others, 818, decisions);
    assertThat(decisions).extracting(d -> d.attempt().orElseThrow()).containsExactly(stopped);
  }

  @Test
  void attemptThatStoppedSoonIsEndedSoon() {
    AttemptModel stopped = first(200); // 0.1 of its work
    AttemptModel other = start(task, 25);
    work(other, 25, 31, 100); // it needs 4 s more
    assertThat(ended(slowerAttempt, 31)).containsExactly(stopped);
  }

  @Test
  void attemptOnADeadMachineIsEndedHoweverFarItCame() {
    AttemptModel there = first(30); // it has done 0.67 of its work, and the other one 0.36
    work(start(task, 15), 15, 20, 14);
    assertThat(ended()).isEmpty();
    phase.liveness().dead(Set.of(there.machine().orElseThrow()));
    assertThat(ended()).containsExactly(there);
  }

  @Test
  void attemptNotSeenAtItsMainWorkEndsNoOther() {
    PhaseModel reduces = Herd.reduces();
    Herd.done(reduces, 3, 1, 10); // so that the length of the main work is known
    reduces.inputsReady(0);
    TaskModel reduce = reduces.addTask();
    AttemptModel slow = start(reduce, 0);
    work(slow, 0, 20, 60);
    AttemptModel fetching = start(reduce, 10);
    for (double t = 10; t <= 20; t++) {
      fetching.report(t, SubPhase.SHUFFLE, (t - 10) / 11);
    }
    List<Decision> decisions = slowerAttempt.decide(reduces, Demand.NONE_WAITING, 20);
    assertThat(decisions).isEmpty();
    work(fetching, 21, 26, 10);
    work(slow, 0, 26, 60);
    decisions = slowerAttempt.decide(reduces, Demand.NONE_WAITING, 26);
    DecisionVerifier.verifySlowerAttempts(reduces, 26, decisions);
    assertThat(decisions).extracting(d -> d.attempt().get()).containsExactly(slow);
  }

  @Test
  void factorGivesAStart() {
    first(50);
    AttemptModel clone = clone(60);
    assertThat(ended(new SlowerAttemptRule(1.4), 20))
        .as("40 s are no more than 1.4 * 30 s")
        .isEmpty();
    assertThat(ended(new SlowerAttemptRule(1.3), 20)).containsExactly(clone);
    assertThat(ended(new SlowerAttemptRule(Double.POSITIVE_INFINITY), 20)).as("Dolly").isEmpty();
    assertThatIllegalArgumentException().isThrownBy(() -> new SlowerAttemptRule(0.9));
    assertThatIllegalArgumentException().isThrownBy(() -> new SlowerAttemptRule(Double.NaN));
  }

  @Test
  void attemptOfUnknownRateNeitherEndsOthersNorIsEnded() {
    AttemptModel silent = start(task, 0);
    AttemptModel clone = clone(60);
    assertThat(ended()).as("nothing was heard of the first").isEmpty();
    work(silent, 19, 20, 50);
    assertThat(ended()).as("too little").isEmpty();
    silent.ended(AttemptState.FAILED, 20);
    AttemptModel young = start(task, 19);
    task.cloned(young);
    assertThat(ended()).isEmpty();
    assertThat(clone.state()).isEqualTo(AttemptState.RUNNING);
  }

  @Test
  void firstAttemptThatFellSilentOutrunsNobody() {
    first(50);
    AttemptModel clone = clone(60);
    for (double t = 21; t <= 26; t++) {
      clone.report(t, SubPhase.MAP, t / 60);
    }
    assertThat(ended(slowerAttempt, 26)).as("its machine may have died at 20").isEmpty();
  }

  @Test
  void nothingIsEndedForOneThatIsExpectedToBeDoneNowWhateverTheFactor() {
    first(20.5); // 0.5 s are left at 20 s
    clone(60);
    assertThat(ended(slowerAttempt, 20.75)).isEmpty();
    assertThat(ended(new SlowerAttemptRule(1_000_000), 20.75)).isEmpty();
  }

  @Test
  void nothingIsEndedWhileCommitIsWaitedFor() {
    first(50);
    clone(60);
    task.committing(true);
    assertThat(ended()).isEmpty();
  }

  @Test
  void onceOnlyOneIsLeftItStays() {
    AttemptModel first = first(50);
    clone(60);
    first.ended(AttemptState.KILLED, 20);
    assertThat(ended()).isEmpty();
  }
}
