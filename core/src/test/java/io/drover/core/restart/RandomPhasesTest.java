// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Demand;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import io.drover.core.order.LargestFirst;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Applies random events, sensible ones and garbage, to random phases. {@link DecisionVerifier} must
 * hold after each of them. The message of a failure contains the phase's seed.
 */
class RandomPhasesTest {
  private static final int PHASES = 400;
  private static final int EVENTS = 600;

  @Test
  void whateverHappensTheRulesHold() {
    for (int seed = 0; seed < PHASES; seed++) {
      long of = seed;
      try {
        new Life(of).live();
      } catch (Throwable e) {
        throw new AssertionError("phase of seed " + of, e);
      }
    }
  }

  @Test
  void theSameEventsGiveTheSameDecisions() {
    for (int seed = 0; seed < 40; seed++) {
      assertThat(new Life(seed).live()).isEqualTo(new Life(seed).live()).isNotEmpty();
    }
  }

  /** Plays one phase. */
  private static final class Life {
    private final Random random;
    private final PhaseModel phase;
    private final RestartSettings settings;
    private final boolean careful;
    private final StringBuilder story = new StringBuilder();
    private double now;

    Life(long seed) {
      random = new Random(seed);
      careful = random.nextBoolean();
      TaskKind kind = random.nextBoolean() ? TaskKind.MAP : TaskKind.REDUCE;
      Duration period = Duration.ofMillis(100 + random.nextInt(9900));
      phase =
          new PhaseModel(
              kind,
              new EstimatorSettings(
                  period, 2 + random.nextInt(8), 2 + random.nextInt(3), 1 + random.nextInt(4)));
      settings =
          new RestartSettings(
              random.nextDouble(),
              random.nextInt(5),
              random.nextInt(4),
              2 + random.nextInt(3),
              random.nextInt(3),
              random.nextInt(2) * 0.25,
              1,
              random.nextInt(2) * 20 * random.nextDouble());
      int tasks = 1 + random.nextInt(20);
      for (int i = 0; i < tasks; i++) {
        phase.addTask(random.nextInt(4) == 0 ? random.nextInt(3) - 1 : random.nextInt(1 << 20));
      }
    }

    String live() {
      for (int i = 0; i < EVENTS; i++) {
        now += phase.settings().periodSeconds() * random.nextDouble() / 4;
        event();
        if (i % 5 == 0) {
          pass();
        }
      }
      return story.toString();
    }

    private void pass() {
      OptionalInt free =
          random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(4) - 1);
      boolean tasksWait = Demand.doTasksWait(phase, now, random.nextInt(3));
      Demand demand = new Demand(tasksWait && random.nextBoolean(), free);
      List<Decision> decisions = new MantriRestart(settings).decide(phase, demand, now);
      assertThat(new MantriRestart(settings).decide(phase, demand, now)).isEqualTo(decisions);
      DecisionVerifier.verify(phase, demand, settings, now, decisions);
      List<Decision> slowerAttempt =
          new SlowerAttemptRule(1 + random.nextInt(2)).decide(phase, demand, now);
      DecisionVerifier.verifySlowerAttempts(phase, now, slowerAttempt);
      List<Decision> pruned = new PruningRule().decide(phase, demand, now);
      DecisionVerifier.verifyPrune(phase, now, pruned);
      List<Decision> apart = new AntiAffinity(2).decide(phase, demand, now);
      assertThat(apart).allMatch(d -> !d.task().isDone() && !d.task().isCommitting());
      assertThat(new LargestFirst().order(phase.tasks(), now)).hasSameSizeAs(phase.tasks());
      decisions.forEach(this::act);
      pruned.forEach(d -> d.attempt().get().ended(AttemptState.KILLED, now));
      for (TaskModel task : phase.tasks()) {
        assertThat(task.kills()).isLessThanOrEqualTo(settings.maxRestarts());
      }
    }

    /** Applies a decision most of the time. */
    private void act(Decision decision) {
      TaskModel task = decision.task();
      story.append(decision.rule()).append(decision.explain()).append(task.index()).append('\n');
      if (decision.action() == Action.LEAVE || random.nextInt(4) == 0) {
        return;
      }
      task.copied(now);
      if (decision.action() == Action.KILL_AND_RESTART) {
        task.restarted(decision.attempt().orElseThrow());
        decision.attempt().get().ended(AttemptState.KILLED, now);
      }
      AttemptModel added = task.addAttempt(task.attempts().size(), now);
      if (random.nextInt(3) == 0) {
        task.cloned(added);
      }
      assertThat(task.copies()).isLessThanOrEqualTo(settings.maxCopies());
    }

    private void event() {
      TaskModel task = phase.tasks().get(random.nextInt(phase.tasks().size()));
      AttemptModel attempt =
          task.attempts().isEmpty()
              ? null
              : task.attempts().get(random.nextInt(task.attempts().size()));
      if (attempt == null) {
        attempt = task.addAttempt(0, now);
      }
      switch (random.nextInt(careful ? 24 : 30)) {
        case 0 -> attempt.ended(AttemptState.SUCCEEDED, time());
        case 1 -> attempt.ended(AttemptState.FAILED, time());
        case 2 -> task.committing(random.nextInt(3) == 0);
        case 3 -> phase.inputsReady(now);
        case 4, 5 -> {
          if (task.copies() == 0) {
            task.addAttempt(task.attempts().size(), now);
          } else if (task.copies() < settings.maxCopies()) {
            task.cloned(task.addAttempt(task.attempts().size(), now));
          }
        }
        case 24 -> phase.inputsNotReady();
        case 25 -> task.undone();
        case 26 -> task.inputBytes(random.nextInt(1 << 20) - 1000);
        case 27 -> task.doneBefore();
        case 28 -> attempt.enter(subPhase(), time());
        case 29 -> attempt.task().fetched(random.nextInt(1 << 20), fraction(attempt));
        default -> {
          attempt.launched(time(), random.nextInt(9) == 0 ? null : "m" + random.nextInt(6));
          report(attempt);
        }
      }
    }

    private void report(AttemptModel attempt) {
      SubPhase at = random.nextInt(8) == 0 ? subPhase() : attempt.subPhase();
      if (random.nextBoolean()) {
        attempt.report(time(), at, fraction(attempt));
      } else {
        double bytes = attempt.task().inputBytes().orElse(1000) * fraction(attempt);
        attempt.report(time(), at, random.nextInt(3) == 0 ? 0 : fraction(attempt), (long) bytes);
      }
    }

    private double time() {
      return careful || random.nextInt(20) > 0
          ? now
          : new double[] {now - 50, now + 1, -1, Double.NaN, Double.POSITIVE_INFINITY}
              [random.nextInt(5)];
    }

    private double fraction(AttemptModel attempt) {
      return careful || random.nextInt(20) > 0
          ? Math.min(1, attempt.work() + 0.1 * random.nextDouble())
          : new double[] {Double.NaN, -1, 2, 1e300, Double.NEGATIVE_INFINITY, -0.0, 1}
              [random.nextInt(7)];
    }

    private SubPhase subPhase() {
      SubPhase[] all = SubPhase.values();
      return all[random.nextInt(all.length)];
    }
  }
}
