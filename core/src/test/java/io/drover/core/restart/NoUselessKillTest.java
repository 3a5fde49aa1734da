// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import static io.drover.core.Herd.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.drover.core.estimate.NewAttemptEstimator;
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
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * A kill loses what was done, so it must not happen where a new attempt would be as slow, nor to an
 * attempt that is held up for a while. Reports come every 3 s, and tasks wait.
 */
class NoUselessKillTest {
  private static final Demand WAITING = new Demand(true, OptionalInt.empty());
  private static final EstimatorSettings SHIPPED =
      EstimatorSettings.withPeriod(Duration.ofSeconds(3));

  /** Ten-minute maps. */
  private static final double MAP = 600;

  private static final int SLOTS = 20;

  private final MantriRestart policy = new MantriRestart(RestartSettings.DEFAULT);
  private final PhaseModel maps = new PhaseModel(TaskKind.MAP, SHIPPED);
  private final List<AttemptModel> running = new ArrayList<>();

  private void begin(PhaseModel phase, double at) {
    for (int i = 0; i < SLOTS; i++) {
      AttemptModel attempt = phase.addTask(1000).addAttempt(0, at);
      attempt.launched(at, "machine-" + i / 2);
      running.add(attempt);
    }
  }

  private static List<Decision> acts(RestartPolicy policy, PhaseModel phase, double now) {
    List<Decision> decisions = policy.decide(phase, WAITING, now);
    DecisionVerifier.verify(phase, WAITING, RestartSettings.DEFAULT, now, decisions);
    return decisions.stream().filter(d -> d.action() != Action.LEAVE).toList();
  }

  /** Reports until the attempts are done; what is done by then is a function of their age. */
  private void assertNoneIsKilled(double from, double to, DoubleUnaryOperator done) {
    for (double t = from; t < to; t += 3) {
      for (AttemptModel attempt : running) {
        double work = done.applyAsDouble(t - attempt.launchedAt());
        attempt.report(t, SubPhase.MAP, Math.min(0.99, work));
      }
      assertThat(acts(policy, maps, t))
          .as("at %s", t)
          .extracting(Decision::rule)
          .doesNotContain(Rule.RESTART_PAYS);
    }
  }

  /** Another job begins when the first wave has done 30 %. */
  @Test
  void whatMakesAllAttemptsSlowerKillsNone() {
    begin(maps, 0);
    double slower = 0.3 * MAP;
    assertNoneIsKilled(0, MAP, age -> age < slower ? age / MAP : 0.3 + (age - slower) / (3 * MAP));
  }

  @Test
  void norIfItLastsForMoreThanAWave() {
    double now = 0;
    for (int wave = 0; wave < 5; wave++) {
      begin(maps, now);
      assertNoneIsKilled(now, now + MAP, age -> age / MAP);
      now += MAP;
      for (AttemptModel attempt : running) {
        attempt.ended(AttemptState.SUCCEEDED, now);
      }
      running.clear();
    }
    begin(maps, now);
    assertNoneIsKilled(now, now + 2 * MAP, age -> age / (3 * MAP));
  }

  @Test
  void whatIsMuchSlowerThanTheOthersIsKilledAllTheSame() {
    policy.earlierJobs(new SlowTasks(0, 40));
    begin(maps, 0);
    AttemptModel outlier = start(maps.addTask(1000), 0);
    for (double t = 0; t <= 0.2 * MAP; t += 3) {
      for (AttemptModel attempt : running) {
        attempt.report(t, SubPhase.MAP, t / (3 * MAP));
      }
      outlier.report(t, SubPhase.MAP, t / (12 * MAP));
    }
    assertThat(acts(policy, maps, 0.2 * MAP))
        .extracting(d -> d.attempt().orElseThrow(), Decision::rule)
        .containsExactly(tuple(outlier, Rule.RESTART_PAYS));
  }

  /** A read of HDFS times out after a minute, or the first long spill blocks the mapper. */
  @Test
  void anAttemptThatReportsAndStandsStillForAMinuteIsNotKilled() {
    policy.earlierJobs(new SlowTasks(0, 40));
    begin(maps, 0);
    AttemptModel held = start(maps.addTask(1000), 0);
    for (double t = 0; t < 0.9 * MAP; t += 3) {
      for (AttemptModel attempt : running) {
        attempt.report(t, SubPhase.MAP, t / MAP);
      }
      double done = t < 300 ? t : Math.max(300, t - 60);
      held.report(t, SubPhase.MAP, done / MAP);
      assertThat(acts(policy, maps, t))
          .as("at %s", t)
          .extracting(Decision::rule)
          .doesNotContain(Rule.RESTART_PAYS);
    }
  }

  /** On a node at 1/8, the input took 240 s, and merging the output takes 120 s. */
  @Test
  void anAttemptThatHasReadItsInputIsNotKilled() {
    policy.earlierJobs(new SlowTasks(0, 40));
    begin(maps, 0);
    AttemptModel slow = start(maps.addTask(1000), 0);
    for (double t = 0; t < 30; t += 3) {
      for (AttemptModel attempt : running) {
        attempt.report(t, SubPhase.MAP, t / 30);
      }
      slow.report(t, SubPhase.MAP, t / 240);
    }
    for (AttemptModel attempt : running) {
      attempt.enter(SubPhase.WRAP_UP, 30);
      attempt.ended(AttemptState.SUCCEEDED, 45);
    }
    for (double t = 30; t < 240; t += 3) {
      slow.report(t, SubPhase.MAP, t / 240);
    }
    slow.enter(SubPhase.WRAP_UP, 240);
    for (double t = 240; t < 360; t += 3) {
      slow.report(t, SubPhase.WRAP_UP, 0.667);
      assertThat(acts(policy, maps, t))
          .as("at %s", t)
          .extracting(Decision::rule)
          .doesNotContain(Rule.RESTART_PAYS);
    }
  }

  @Test
  void oneAttemptElsewhereThatIsFasterIsNoReasonForAKill() {
    for (int i = 0; i < 3; i++) {
      AttemptModel there = maps.addTask(1000).addAttempt(0, 0);
      there.launched(0, "slow");
      running.add(there);
    }
    AttemptModel lucky = start(maps.addTask(1000), 0);
    for (double t = 0; t <= 15; t += 3) {
      lucky.report(t, SubPhase.MAP, t / 40);
      for (AttemptModel attempt : running) {
        attempt.report(t, SubPhase.MAP, t / 100);
      }
    }
    assertThat(acts(policy, maps, 15))
        .extracting(Decision::rule)
        .containsOnly(Rule.COPY_SAVES_RESOURCES);
  }

  /** Of short tasks, those that are slow have a pace for most of their lives, and others hardly. */
  @Test
  void slowOnesAreNotTakenForMost() {
    begin(maps, 0);
    for (AttemptModel attempt : running) {
      for (double t = 0; t < 10; t += 3) {
        attempt.report(t, SubPhase.MAP, t / 10);
      }
      attempt.ended(AttemptState.SUCCEEDED, 10);
    }
    for (int i = 0; i < 8; i++) {
      AttemptModel slow = maps.addTask(1000).addAttempt(0, 10);
      slow.launched(10, "slow-" + i / 2);
      for (double t = 10; t < 50; t += 3) {
        slow.report(t, SubPhase.MAP, (t - 10) / 80);
      }
    }
    assertThat(new NewAttemptEstimator(maps, true).slowdown(50)).isGreaterThan(2);
    for (int i = 0; i < 9; i++) {
      AttemptModel young = maps.addTask(1000).addAttempt(0, 46);
      young.launched(46, "machine-" + i);
      young.report(49, SubPhase.MAP, 0.3);
    }
    assertThat(new NewAttemptEstimator(maps, true).slowdown(50)).isEqualTo(1);
  }

  /** Of a wave of reduces all but 10 % of the data is there; the rest is on a host that is slow. */
  @Test
  void reducesThatFetchFromASlowHostAreNotKilled() {
    PhaseModel reduces = new PhaseModel(TaskKind.REDUCE, SHIPPED);
    reduces.inputsReady(0);
    for (int i = 0; i < SLOTS; i++) {
      AttemptModel attempt = start(reduces.addTask(), 0);
      fetch(attempt, 0, 20, age -> age / 20);
      attempt.enter(SubPhase.REDUCE, 20);
      for (double t = 23; t < 120; t += 3) {
        attempt.report(t, SubPhase.REDUCE, (t - 20) / 100);
      }
      attempt.ended(AttemptState.SUCCEEDED, 120);
    }
    List<TaskModel> second = new ArrayList<>();
    for (int i = 0; i < SLOTS; i++) {
      second.add(start(reduces.addTask(), 120).task());
    }
    for (double t = 120; t < 400; t += 3) {
      for (TaskModel task : second) {
        double age = t - 120;
        double fetched = age < 18 ? age / 20 : 0.9 + 0.1 * (age - 18) / 400;
        task.attempts().get(0).report(t, SubPhase.SHUFFLE, fetched);
      }
      assertThat(acts(policy, reduces, t))
          .as("at %s", t)
          .extracting(Decision::rule)
          .doesNotContain(Rule.RESTART_PAYS);
    }
  }

  private static void fetch(
      AttemptModel attempt, double from, double to, DoubleUnaryOperator done) {
    for (double t = from; t < to; t += 3) {
      attempt.report(t, SubPhase.SHUFFLE, done.applyAsDouble(t - from));
    }
  }
}
