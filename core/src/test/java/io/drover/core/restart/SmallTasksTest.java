// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import static io.drover.core.Herd.done;
import static io.drover.core.Herd.running;
import static io.drover.core.Herd.start;
import static io.drover.core.Herd.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.Herd;
import io.drover.core.estimate.LocationFactors;
import io.drover.core.estimate.NewAttemptEstimator;
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
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Phases in which some tasks have far less to read than others, or nothing. */
class SmallTasksTest {
  private static final long BLOCK = 128 << 20;
  private static final Demand WAITING = new Demand(true, OptionalInt.empty());

  private static List<Decision> decide(
      RestartSettings settings, PhaseModel phase, Demand demand, double now) {
    List<Decision> decisions = new MantriRestart(settings).decide(phase, demand, now);
    DecisionVerifier.verify(phase, demand, settings, now, decisions);
    return decisions;
  }

  private static Decision of(TaskModel task, Demand demand, double now) {
    return decide(RestartSettings.MANTRI, task.phase(), demand, now).stream()
        .filter(decision -> decision.task() == task)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void oneSmallFileAmongManyDoesNotHideASlowTask() {
    PhaseModel phase = Herd.maps();
    done(phase, 1000, BLOCK, 30);
    done(phase, 1, 1000, 2); // 2 ms a byte
    TaskModel slow = running(phase, BLOCK, 240, 60).task();
    Decision decision = of(slow, WAITING, 60);
    assertThat(decision.evidence().fresh().getAsDouble()).isCloseTo(30, within(0.5));
    assertThat(decision.rule()).isEqualTo(Rule.RESTART_PAYS);
    assertThat(of(slow, Demand.NONE_WAITING, 60).rule()).isEqualTo(Rule.COPY_SAVES_TIME);
  }

  @Test
  void norDoesAnEmptyPartition() {
    PhaseModel reduces = Herd.reduces();
    reduces.inputsReady(0);
    for (int i = 0; i < 99; i++) {
      reduced(reduces, 1 << 30, 10, 100);
    }
    reduced(reduces, 600, 0.02, 0.2);
    TaskModel slow = reducing(reduces, 1 << 30, 10).task();
    work(slow.lastAttempt(), 10, 210, 800);
    Decision decision = of(slow, WAITING, 210);
    assertThat(decision.evidence().fresh().getAsDouble()).isCloseTo(110, within(2.0));
    assertThat(decision.rule()).isEqualTo(Rule.RESTART_PAYS);
  }

  private static AttemptModel reducing(PhaseModel phase, long bytes, double fetched) {
    AttemptModel attempt = start(phase.addTask(), 0);
    attempt.task().inputBytes(bytes);
    attempt.enter(SubPhase.SORT, fetched);
    attempt.enter(SubPhase.REDUCE, fetched);
    return attempt;
  }

  private static void reduced(PhaseModel phase, long bytes, double fetched, double seconds) {
    AttemptModel attempt = reducing(phase, bytes, fetched);
    work(attempt, fetched, fetched + seconds - 1, seconds);
    attempt.ended(AttemptState.SUCCEEDED, fetched + seconds);
  }

  @Test
  void norDoesItHideASlowMachine() {
    PhaseModel phase = Herd.maps();
    done(phase, 100, BLOCK, 30);
    done(phase, 1, 1000, 2);
    for (int i = 0; i < 3; i++) {
      AttemptModel there = phase.addTask(BLOCK).addAttempt(0, 0);
      there.launched(0, "slow");
      work(there, 0, 60, 240);
    }
    assertThat(new LocationFactors(2).observe(List.of(phase), 60).keySet()).containsExactly("slow");
  }

  /** Half of the splits are of small or empty files: 2 s, and 16 s on the slow machine. */
  @Test
  void norDoTheSmallFilesThatTheSlowMachineReads() {
    for (long size : new long[] {0, 1000}) {
      PhaseModel phase = Herd.maps();
      done(phase, 10, BLOCK, 100);
      done(phase, 10, size, 2);
      for (int i = 0; i < 3; i++) {
        AttemptModel small = phase.addTask(size).addAttempt(0, 0);
        small.launched(0, "slow");
        small.ended(AttemptState.SUCCEEDED, 16);
        AttemptModel there = phase.addTask(BLOCK).addAttempt(0, 0);
        there.launched(0, "slow");
        work(there, 0, 60, 800);
      }
      assertThat(new LocationFactors(2).observe(List.of(phase), 60).keySet())
          .containsExactly("slow");
    }
  }

  @Test
  void aSmallTaskSaysNothingForItsMachine() {
    PhaseModel phase = Herd.maps();
    done(phase, 10, BLOCK, 30);
    AttemptModel small = phase.addTask(1000).addAttempt(0, 0);
    small.launched(0, "slow");
    small.ended(AttemptState.SUCCEEDED, 2);
    AttemptModel there = phase.addTask(BLOCK).addAttempt(0, 0);
    there.launched(0, "slow");
    work(there, 0, 60, 240);
    AttemptModel next = phase.addTask(BLOCK).addAttempt(0, 60);
    next.launched(60, "slow");
    assertThat(phase.liveness().slowness(next, 60))
        .as("the root of 8: one seen, and one that is as usual")
        .isCloseTo(Math.sqrt(8), within(0.1));
  }

  /** Four of five splits are of empty files, and take 3 s. */
  @Test
  void emptySplitsDoNotMakeTheOthersSlow() {
    for (Demand demand : List.of(WAITING, Demand.NONE_WAITING)) {
      PhaseModel phase = Herd.maps();
      done(phase, 80, 0, 3);
      for (int i = 0; i < 20; i++) {
        start(phase.addTask(BLOCK), 0);
      }
      for (int now = 0; now < 60; now++) {
        for (TaskModel task : phase.running()) {
          task.lastAttempt().report(now, SubPhase.MAP, now / 60.0);
        }
        assertThat(decide(RestartSettings.DEFAULT, phase, demand, now))
            .as("at %s", now)
            .allMatch(decision -> decision.action() == Action.LEAVE);
      }
    }
  }

  @Test
  void aSmallTaskThatStopsIsCopied() {
    for (long size : new long[] {0, 1000}) {
      PhaseModel phase = Herd.maps();
      done(phase, 10, BLOCK, 30);
      done(phase, 3, size, 3);
      TaskModel stopped = running(phase, size, 10, 5).task();
      assertThat(of(stopped, Demand.NONE_WAITING, 5).rule()).isEqualTo(Rule.ON_COURSE);
      assertThat(of(stopped, Demand.NONE_WAITING, 60).rule()).isEqualTo(Rule.COPY_SAVES_TIME);
    }
  }

  @Test
  void whereOneTaskHasNearlyAllTheOthersAreNotSmall() {
    PhaseModel phase = Herd.maps();
    done(phase, 10, 1000, 10);
    running(phase, 1_000_000, 10_000, 60);
    TaskModel slow = running(phase, 1000, 80, 10).task();
    assertThat(new NewAttemptEstimator(phase, false).observations()).isGreaterThan(10);
    assertThat(of(slow, WAITING, 10).rule()).isEqualTo(Rule.RESTART_PAYS);
  }
}
