// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

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
import io.drover.core.model.PhaseModel;
import io.drover.core.model.Rule;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskModel;
import java.util.List;
import org.junit.jupiter.api.Test;

class PruneAndApartTest {
  private final PhaseModel phase = Herd.maps();
  private final TaskModel task = phase.addTask();
  private final PruningRule prune = new PruningRule();
  private final AntiAffinity apart = new AntiAffinity(2);

  private AttemptModel copy(double at, double full, double now) {
    AttemptModel attempt = start(task, at);
    work(attempt, at, now, full);
    return attempt;
  }

  private List<Decision> prune(double now) {
    List<Decision> decisions = prune.decide(phase, Demand.NONE_WAITING, now);
    DecisionVerifier.verifyPrune(phase, now, decisions);
    return decisions;
  }

  @Test
  void theTwoFastestAndTheNewestAreKept() {
    AttemptModel slow = copy(0, 100, 20);
    copy(0, 60, 20);
    copy(0, 50, 20);
    assertThat(prune(20)).extracting(d -> d.attempt().get()).containsExactly(slow);
    copy(15, 1000, 20);
    List<Decision> decisions = prune(20);
    assertThat(decisions).extracting(d -> d.attempt().get()).containsExactly(slow);
    assertThat(decisions.get(0).rule()).isEqualTo(Rule.SLOWER_COPY);
    assertThat(decisions.get(0).evidence().threshold())
        .as("the slower one kept")
        .hasValueCloseTo(40.0, within(1e-9));
  }

  @Test
  void oldestAttemptOfAClonedTaskIsKept() {
    copy(0, 100, 20);
    AttemptModel slowClone = copy(0, 90, 20);
    copy(0, 60, 20);
    copy(0, 50, 20);
    task.cloned(slowClone);
    assertThat(prune(20)).extracting(d -> d.attempt().get()).containsExactly(slowClone);
  }

  /** Copies begin faster than they go on: one with ten times the work would never be done. */
  @Test
  void anAttemptThatHasDoneMoreThanTheFasterOnesIsKeptUntilTheyOvertakeIt() {
    AttemptModel ahead = copy(0, 200, 100);
    AttemptModel second = copy(90, 40, 100);
    AttemptModel third = copy(90, 50, 100);
    assertThat(prune(100)).isEmpty();
    work(ahead, 0, 120, 200);
    work(second, 90, 120, 40);
    work(third, 90, 120, 50);
    assertThat(prune(120))
        .as("0.6 by all")
        .extracting(d -> d.attempt().get())
        .containsExactly(ahead);
  }

  @Test
  void anAttemptThatStandsStillIsPrunedOnceThatHasTakenAsLongAsAFasterOneNeedsToOvertakeIt() {
    copy(0, 200, 100); // 0.5 of its work
    AttemptModel second = copy(90, 400, 190);
    AttemptModel third = copy(90, 500, 190);
    assertThat(prune(190)).as("0.25 more take 100 s").isEmpty();
    work(second, 90, 196, 400);
    work(third, 90, 196, 500);
    assertThat(prune(196)).extracting(d -> d.attempt().get().number()).containsExactly(0);
  }

  @Test
  void aReduceThatReducesIsNotPrunedForOnesThatStillFetchHoweverMuchOfThatIsDone() {
    PhaseModel reduces = Herd.reduces();
    Herd.done(reduces, 3, 1, 10); // so that the length of the main work is known
    reduces.inputsReady(0);
    TaskModel reduce = reduces.addTask();
    work(start(reduce, 0), 0, 20, 200); // 0.1 of its work
    for (int i = 0; i < 2; i++) {
      AttemptModel fetching = start(reduce, 5);
      for (double t = 5; t <= 20; t++) {
        fetching.report(t, SubPhase.SHUFFLE, (t - 5) / 16);
      }
    }
    assertThat(prune.decide(reduces, Demand.NONE_WAITING, 20)).isEmpty();
  }

  @Test
  void twoCopiesAreNeverPruned() {
    copy(0, 100, 20);
    copy(0, 1e6, 20);
    assertThat(prune(20)).isEmpty();
  }

  @Test
  void nothingIsPrunedWhileCommitIsGrantedOrUnknownOrYoung() {
    copy(0, 100, 20);
    copy(0, 60, 20);
    copy(0, 50, 20);
    task.committing(true);
    assertThat(prune(20)).isEmpty();
    task.committing(false);
    assertThat(prune(1)).as("no older than Delta").isEmpty();
  }

  private AttemptModel place(int number, String machine) {
    AttemptModel attempt = task.addAttempt(number, 0);
    attempt.assigned(machine);
    return attempt;
  }

  private List<Decision> apart() {
    return apart.decide(phase, Demand.NONE_WAITING, 1);
  }

  @Test
  void aCopyOnTheMachineOfAnOlderLiveAttemptIsSentBack() {
    AttemptModel first = place(0, "a");
    AttemptModel copy = place(1, "a");
    assertThat(apart()).extracting(d -> d.attempt().get()).containsExactly(copy);
    assertThat(apart().get(0).action()).isEqualTo(Action.KILL_AND_RESTART);
    first.ended(AttemptState.FAILED, 1);
    assertThat(apart()).as("the other is gone").isEmpty();
  }

  @Test
  void aCopyOnTheMachineItsTaskFledFromIsSentBackButOnlySoOften() {
    AttemptModel first = place(0, "a");
    task.restarted(first);
    first.ended(AttemptState.KILLED, 1);
    place(1, "a");
    assertThat(apart()).hasSize(1);
    task.moved();
    task.moved();
    assertThat(apart()).isEmpty();
    assertThat(task.moves()).isEqualTo(2);
  }

  @Test
  void aCopyThatHasWorkedOrHasNoMachineOrCommitsOrIsDoneStays() {
    place(0, "a");
    AttemptModel unplaced = task.addAttempt(1, 0);
    assertThat(apart()).isEmpty();
    unplaced.launched(0, "a");
    unplaced.report(0, SubPhase.MAP, 0);
    assertThat(apart()).hasSize(1);
    task.committing(true);
    assertThat(apart()).isEmpty();
    task.committing(false);
    unplaced.report(1, SubPhase.MAP, 0.1);
    assertThat(apart()).isEmpty();
    place(2, "a");
    assertThat(apart()).hasSize(1);
    task.doneBefore();
    assertThat(apart()).isEmpty();
    assertThatThrownBy(() -> new AntiAffinity(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
