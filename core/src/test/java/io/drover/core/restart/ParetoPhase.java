// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

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
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Simulates a phase as in Mantri's appendix A: {@code n} tasks on {@code s} slots with list
 * scheduling. Every attempt takes an independent time with {@code P(R > r) = r^-beta, r >= 1}, and
 * Delta is 1.
 *
 * <p>A phase is played in three ways: untouched; by the appendix's closed rule, which kills an
 * attempt after t_k = E[R] + Delta and restarts it in its slot; and by core's own classes. These
 * see only a progress report from each attempt every Delta, the first one Delta after the attempt
 * began, and decide every Delta. They, too, restart a killed attempt in its slot. A copy takes the
 * next free slot, before waiting tasks.
 */
final class ParetoPhase {
  /** The shipped settings with Delta = 1. */
  static final EstimatorSettings SHIPPED = EstimatorSettings.withPeriod(Duration.ofSeconds(1));

  /** The same, but an attempt is judged from its second report on instead of its third. */
  static final EstimatorSettings EARLY =
      new EstimatorSettings(
          SHIPPED.period(), SHIPPED.windowReports(), 2, SHIPPED.minObservations());

  private final int slots;
  private final double beta;

  ParetoPhase(int slots, double beta) {
    this.slots = slots;
    this.beta = beta;
  }

  /** Draws a time with the tail {@code r^-beta}. */
  double sample(Random random) {
    return Math.pow(1 - random.nextDouble(), -1 / beta);
  }

  /** Returns E[R]. */
  double mean() {
    return beta / (beta - 1);
  }

  /** Returns when the last task ends if no rule intervenes. */
  double untouched(double[] times) {
    return listSchedule(times);
  }

  /** Returns the end under the closed rule. A killed attempt has cost all of t_k. */
  double closedRule(double[] first, Random random) {
    double limit = mean() + 1;
    double[] times = new double[first.length];
    for (int i = 0; i < first.length; i++) {
      double time = first[i];
      double spent = 0;
      while (time > limit) {
        spent += limit;
        time = sample(random);
      }
      times[i] = spent + time;
    }
    return listSchedule(times);
  }

  private double listSchedule(double[] times) {
    PriorityQueue<Double> free = new PriorityQueue<>(slots);
    double end = 0;
    for (double time : times) {
      double done = (free.size() < slots ? 0 : free.remove()) + time;
      free.add(done);
      end = Math.max(end, done);
    }
    return end;
  }

  /**
   * Returns the end if times follow the bound on the tail in the appendix, equation (5). It
   * replaces each time by that of the same rank. No rule reaches it; the printed table relies on
   * it.
   */
  double bound(double[] first) {
    double ts = mean();
    double tk = ts + 1;
    double[] times = new double[first.length];
    for (int i = 0; i < first.length; i++) {
      times[i] = first[i] < tk ? first[i] : tk + Math.log(first[i] / tk) / Math.log(ts);
    }
    return listSchedule(times);
  }

  /** Returns the end under core's policies. */
  double byCore(double[] first, EstimatorSettings estimator, Random random) {
    return new Run(first, estimator, random).play();
  }

  /** An event of an attempt, or a pass of the policies. */
  private record Event(double at, long order, Runnable what) {}

  private final class Run {
    private final double[] first;
    private final Random random;
    private final RestartPolicy restart = new MantriRestart(RestartSettings.MANTRI);
    private final RestartPolicy prune = new PruningRule();
    private final PhaseModel phase;
    private final PriorityQueue<Event> events =
        new PriorityQueue<>(Comparator.comparingDouble(Event::at).thenComparingLong(Event::order));
    private final Deque<AttemptModel> copies = new ArrayDeque<>();
    private final Map<AttemptModel, Double> durations = new HashMap<>();

    private long order;
    private int begun;
    private int free = slots;
    private double now;

    Run(double[] first, EstimatorSettings estimator, Random random) {
      this.first = first;
      this.random = random;
      this.phase = new PhaseModel(TaskKind.MAP, estimator);
      for (int i = 0; i < first.length; i++) {
        phase.addTask(1);
      }
    }

    double play() {
      fillSlots();
      at(1, this::pass);
      while (phase.done() < first.length) {
        Event next = events.remove();
        now = next.at();
        next.what().run();
      }
      return now;
    }

    private void at(double time, Runnable what) {
      events.add(new Event(time, order++, what));
    }

    private void fillSlots() {
      while (free > 0 && (!copies.isEmpty() || begun < first.length)) {
        if (!copies.isEmpty()) {
          launch(copies.remove(), sample(random));
        } else {
          launch(phase.tasks().get(begun).addAttempt(0, now), first[begun]);
          begun++;
        }
      }
    }

    private void launch(AttemptModel attempt, double duration) {
      free--;
      attempt.launched(now, "slot");
      durations.put(attempt, duration);
      at(now + duration, () -> succeed(attempt));
      at(now + 1, () -> report(attempt));
    }

    private void report(AttemptModel attempt) {
      double done = (now - attempt.launchedAt()) / durations.get(attempt);
      if (attempt.state() == AttemptState.RUNNING && done < 1) {
        attempt.report(now, SubPhase.MAP, done);
        at(now + 1, () -> report(attempt));
      }
    }

    private void succeed(AttemptModel attempt) {
      if (attempt.state() == AttemptState.RUNNING) {
        end(attempt, AttemptState.SUCCEEDED);
        new ArrayList<>(attempt.task().attempts()).forEach(a -> end(a, AttemptState.KILLED));
        fillSlots();
      }
    }

    private void end(AttemptModel attempt, AttemptState how) {
      if (attempt.state() == AttemptState.RUNNING) {
        free++;
      } else {
        copies.remove(attempt);
      }
      attempt.ended(how, now);
    }

    private void pass() {
      boolean waits = begun < first.length;
      Demand demand = new Demand(waits, waits ? OptionalInt.empty() : OptionalInt.of(free));
      for (Decision decision : prune.decide(phase, demand, now)) {
        end(decision.attempt().orElseThrow(), AttemptState.KILLED);
      }
      fillSlots();
      List<Decision> decisions = restart.decide(phase, demand, now);
      decisions.stream().filter(d -> d.action() != Action.LEAVE).forEach(this::act);
      fillSlots();
      at(now + 1, this::pass);
    }

    private void act(Decision decision) {
      TaskModel task = decision.task();
      task.copied(now);
      if (decision.action() == Action.KILL_AND_RESTART) {
        AttemptModel slow = decision.attempt().orElseThrow();
        task.restarted(slow);
        end(slow, AttemptState.KILLED);
        launch(task.addAttempt(task.attempts().size(), now), sample(random));
      } else {
        copies.add(task.addAttempt(task.attempts().size(), now));
      }
    }
  }
}
