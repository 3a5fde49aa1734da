// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drover.core.estimate.NewAttemptEstimator;
import io.drover.core.estimate.RemainingTimeEstimator;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Demand;
import io.drover.core.model.Evidence;
import io.drover.core.model.Liveness;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.PhaseStall;
import io.drover.core.model.Rule;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Verifies what must hold for every pass of {@link MantriRestart}, {@link PruningRule} and {@link
 * SlowerAttemptRule} over any phase. It computes the rules' formulas independently, in the plain
 * way.
 */
public final class DecisionVerifier {
  private static final RemainingTimeEstimator REMAINING = new RemainingTimeEstimator();

  private DecisionVerifier() {}

  /** Verifies one pass of {@link MantriRestart}. */
  public static void verify(
      PhaseModel phase,
      Demand demand,
      RestartSettings settings,
      double now,
      List<Decision> decisions) {
    Set<TaskModel> once = new HashSet<>();
    int copies = 0;
    boolean leaving = false;
    double lastSaving = Double.POSITIVE_INFINITY;
    for (Decision decision : decisions) {
      assertThat(once.add(decision.task())).as("one decision a task").isTrue();
      assertThat(decision.at()).isEqualTo(now);
      assertThat(decision.explain()).isNotBlank();
      boolean wanted = decision.action() != Action.LEAVE || decision.rule() == Rule.NO_SLOT;
      assertThat(wanted && leaving).as("what asks for something comes first").isFalse();
      leaving |= !wanted;
      if (wanted) {
        double saving = decision.evidence().saving().orElseThrow();
        assertThat(saving).as("most saving first").isLessThanOrEqualTo(lastSaving);
        lastSaving = saving;
      }
      copies += decision.action() == Action.DUPLICATE ? 1 : 0;
      verify(phase, demand, settings, now, decision);
    }
    assertThat(once).containsExactlyInAnyOrderElementsOf(phase.running());
    if (demand.freeSlots().isPresent()) {
      assertThat(copies).isLessThanOrEqualTo(Math.max(0, demand.freeSlots().getAsInt()));
    }
  }

  private static void verify(
      PhaseModel phase, Demand demand, RestartSettings s, double now, Decision decision) {
    TaskModel task = decision.task();
    Evidence evidence = decision.evidence();
    double delta = phase.delta();
    assertThat(evidence.copies()).isEqualTo(task.copies());
    assertThat(evidence.kills()).isEqualTo(task.kills());
    assertThat(evidence.tasksWait()).isEqualTo(demand.tasksWait());
    evidence.remaining().ifPresent(r -> assertThat(r).isNotNaN().isNotNegative());
    evidence.fresh().ifPresent(f -> assertThat(f).isFinite().isNotNegative());
    evidence.probability().ifPresent(p -> assertThat(p).isBetween(0.0, 1.0));
    if (decision.action() != Action.LEAVE || decision.rule() == Rule.NO_SLOT) {
      assertThat(task.isDone()).isFalse();
      assertThat(task.isCommitting()).isFalse();
      assertThat(task.copies()).as("no copy is on its way").isEqualTo(task.runningCopies());
      assertThat(now - task.copiedAt()).isGreaterThanOrEqualTo(delta);
    }
    Optional<AttemptModel> best = best(task, demand, now);
    double tRem = best.map(a -> REMAINING.seconds(a, now)).orElse(Double.NaN);
    double[] rates = elsewhere(phase, task);
    double fresh = fresh(phase, task, demand, rates);
    double work = Arrays.stream(rates).average().orElse(0) * phase.size(task);
    double slowdown = demand.tasksWait() ? slowdown(phase, now) : 1;
    boolean acts = decision.action() != Action.LEAVE || decision.rule() == Rule.NO_SLOT;
    if (acts || evidence.fresh().orElse(fresh) > fresh * (1 + 1e-8)) { // it was asked for
      fresh += (slowdown - 1) * work;
    } else {
      slowdown = 1;
    }
    if (evidence.fresh().isPresent()) {
      assertThat(evidence.remaining().getAsDouble()).isEqualTo(tRem);
      assertThat(evidence.basis()).contains(REMAINING.basis(best.orElseThrow()));
      // The estimator subtracts the task's own rate from a running sum. If that rate is 10^7 times
      // the others', seven digits cancel.
      if (s.moreToDo() == 0) {
        assertThat(evidence.fresh().getAsDouble()).isCloseTo(fresh, within(1e-8 * (1 + fresh)));
      } else { // it may have more to do
        assertThat(evidence.fresh().getAsDouble()).isGreaterThanOrEqualTo(fresh * (1 - 1e-8));
        fresh = evidence.fresh().getAsDouble();
      }
      assertThat(evidence.observations()).isEqualTo(rates.length);
    }
    int c = task.copies();
    double least = s.moreToDo() == 0 ? delta : Math.max(delta, slowdown * work / 2);
    double both = Math.min(tRem, decision.attempt().map(a -> byMeanPace(a, now)).orElse(0.0));
    boolean mayKill = rates.length >= 3 && tRem < Double.POSITIVE_INFINITY;
    boolean restartPays =
        demand.tasksWait() && c == 1 && mayKill && both > fresh + least * (1 - 1e-8);
    boolean mayHaveAnother = task.copiesMade() + task.kills() < s.mostSecondAttempts();
    boolean silent = decision.attempt().map(a -> a.silence(now) > 0).orElse(false);
    double usual =
        demand.tasksWait() ? below(phase, task, demand, rates, tRem * c / (c + 1), slowdown) : 0;
    evidence
        .probability()
        .ifPresent(
            q -> assertThat(q).isBetween(s.moreToDo() == 0 ? usual - 1e-9 : 0, usual + 1e-9));
    double p = evidence.probability().orElse(usual);
    boolean copyPays =
        demand.tasksWait() ? p > s.delta() : tRem - fresh > s.rho() * delta / demand.worth();
    switch (decision.rule()) {
      case RESTART_PAYS -> {
        assertThat(restartPays && mayHaveAnother).isTrue();
        assertThat(now - decision.attempt().orElseThrow().launchedAt())
            .isGreaterThanOrEqualTo(s.leastRunSeconds());
        assertThat(silent).as("no kill of what may be dead").isFalse();
        assertThat(task.kills()).isLessThan(s.maxRestarts());
        assertThat(decision.attempt().orElseThrow().state()).isEqualTo(AttemptState.RUNNING);
        assertThat(decision.attempt().get().task()).isSameAs(task);
      }
      case COPY_SAVES_RESOURCES, COPY_SAVES_TIME, NO_SLOT -> {
        assertThat(copyPays).isTrue();
        assertThat(task.copies()).isLessThan(s.maxCopies());
        assertThat(task.copiesMade() + task.kills()).isLessThan(s.mostSecondAttempts());
        if (decision.rule() != Rule.NO_SLOT) {
          assertThat(decision.rule() == Rule.COPY_SAVES_RESOURCES).isEqualTo(demand.tasksWait());
        }
      }
      case ON_COURSE -> {
        assertThat(copyPays).isFalse();
        boolean isLeft = mayHaveAnother && task.kills() < s.maxRestarts();
        assertThat(restartPays && !silent && isLeft && s.moreToDo() == 0).isFalse();
      }
      case ENOUGH_COPIES -> {
        assertThat(copyPays).isTrue();
        boolean hadMost = task.copiesMade() + task.kills() >= s.mostSecondAttempts();
        assertThat(task.copies() >= s.maxCopies() || !task.mayBeCopied() || hadMost).isTrue();
      }
      case ENOUGH_RESTARTS -> {
        assertThat(restartPays).isTrue();
        assertThat(mayHaveAnother && task.kills() < s.maxRestarts()).isFalse();
      }
      case CORRELATED_STALL -> {
        assertThat(copyPays || restartPays).isTrue();
        AttemptModel stopped = decision.attempt().orElseThrow();
        double stillFor = phase.liveness().stall().stalledFor(now);
        double patience = s.correlatedStallWindows() * phase.windowSeconds();
        boolean isOver =
            Double.isNaN(stillFor) && phase.liveness().stall().wasStalledJustNow(stopped, now);
        assertThat(stillFor < patience || isOver).isTrue();
        assertThat(PhaseStall.isSeenToGetOn(stopped, now)).isFalse();
      }
      case RAN_BRIEFLY -> {
        assertThat(copyPays || restartPays).isTrue();
        double launched = decision.attempt().orElseThrow().launchedAt();
        assertThat(now - launched).isLessThan(s.leastRunSeconds());
      }
      case COMMITTING -> assertThat(task.isCommitting()).isTrue();
      case COPY_PENDING -> assertThat(task.copies()).isGreaterThan(task.runningCopies());
      case COPIED_LATELY -> assertThat(now - task.copiedAt()).isLessThan(delta);
      case COPY_TOO_YOUNG -> {
        assertThat(task.runningCopies()).isGreaterThan(1);
        assertThat(best).isEmpty();
      }
      case TOO_FEW_REPORTS, INPUTS_MISSING -> assertThat(best).isEmpty();
      case TOO_FEW_OBSERVATIONS -> assertThat(fresh).isNaN();
      default -> throw new AssertionError("not a rule of this policy: " + decision.rule());
    }
  }

  /** Returns the attempt that ends first, or empty if one that runs cannot be judged. */
  private static Optional<AttemptModel> best(TaskModel task, Demand demand, double now) {
    List<AttemptModel> running =
        task.attempts().stream().filter(a -> a.state() == AttemptState.RUNNING).toList();
    return running.stream().allMatch(a -> isJudged(a, demand, now))
        ? running.stream().min(Comparator.comparingDouble(a -> REMAINING.seconds(a, now)))
        : Optional.empty();
  }

  private static boolean isJudged(AttemptModel attempt, Demand demand, double now) {
    double seconds = REMAINING.seconds(attempt, now);
    boolean counts =
        attempt.isHeardOf()
            || seconds == Double.POSITIVE_INFINITY
            || (!demand.tasksWait() && isLate(attempt, now));
    return counts && !Double.isNaN(seconds);
  }

  private static boolean isLate(AttemptModel attempt, double now) {
    Liveness liveness = attempt.task().phase().liveness();
    return liveness.stopped(attempt, now) >= MantriRestart.LATE
        || liveness.slowness(attempt, now) >= MoreToDo.SLOW;
  }

  /** Returns E[t_new] = mean process rate * d + other sub-phases + schedLag; NaN if unknown. */
  private static double fresh(PhaseModel phase, TaskModel task, Demand demand, double[] rates) {
    boolean known = phase.processRates().all().length >= phase.settings().minObservations();
    double mean = Arrays.stream(rates).average().orElse(Double.NaN);
    return known ? mean * phase.size(task) + offset(phase, task, demand) : Double.NaN;
  }

  /** Returns the rates not observed where the task runs, or all of them if too few are left. */
  private static double[] elsewhere(PhaseModel phase, TaskModel task) {
    double[] all = phase.processRates().all();
    List<Double> left = new ArrayList<>(Arrays.stream(all).boxed().toList());
    task.attempts().stream()
        .filter(a -> a.state().isLive())
        .map(AttemptModel::machineNumber)
        .distinct()
        .map(m -> phase.processRates().on(m))
        .filter(on -> on.length >= NewAttemptEstimator.SHARE_THAT_MATTERS * all.length)
        .flatMap(on -> Arrays.stream(on).boxed())
        .forEach(left::remove);
    boolean enough = 2 * left.size() >= phase.settings().minObservations();
    return enough ? left.stream().mapToDouble(Double::doubleValue).toArray() : all;
  }

  private static double offset(PhaseModel phase, TaskModel task, Demand demand) {
    double offset = phase.schedulingLag().seconds(demand.tasksWait()).orElse(Double.NaN);
    for (SubPhase other : phase.kind().subPhases()) {
      double usual = phase.usualSecondsOrNaN(other, phase.size(task));
      offset += other == phase.kind().main() || Double.isNaN(usual) ? 0 : usual;
    }
    return offset;
  }

  private static double byMeanPace(AttemptModel attempt, double now) {
    return attempt.isAtMainWork()
        ? (1 - attempt.work()) * attempt.pace().mainSecondsOrNaN(now)
        : Double.NaN;
  }

  /** Returns how many times as long as the mean those attempts take that run now. */
  private static double slowdown(PhaseModel phase, double now) {
    Set<Optional<String>> machines = new HashSet<>();
    List<Double> present = new ArrayList<>();
    for (TaskModel task : phase.running()) {
      for (AttemptModel attempt : task.attempts()) {
        boolean isMeasured =
            attempt.state() == AttemptState.RUNNING
                && attempt.isAtMainWork()
                && !phase.isMisleading(attempt)
                && !isSmall(task)
                && attempt.pace().rateOrNaN(now) > 0;
        if (isMeasured) {
          machines.add(attempt.machine());
          present.add(1 / attempt.pace().rateOrNaN(now) / phase.size(task));
        }
      }
    }
    double[] all = present.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (machines.size() < 3 || 2 * all.length <= phase.running().size()) {
      return 1;
    }
    double median = (all[(all.length - 1) / 2] + all[all.length / 2]) / 2;
    double mean = Arrays.stream(phase.processRates().all()).average().orElse(0);
    return mean == 0 ? 1 : Math.max(1, median / mean);
  }

  /** Returns whether a task has fewer bytes than it counts with. */
  private static boolean isSmall(TaskModel task) {
    boolean areSizesKnown =
        task.phase().tasks().stream().anyMatch(any -> any.inputBytes().isPresent());
    return areSizesKnown && task.inputBytes().orElse(0) < task.phase().size(task);
  }

  private static double below(
      PhaseModel phase,
      TaskModel task,
      Demand demand,
      double[] rates,
      double seconds,
      double slowdown) {
    double rate = (seconds - offset(phase, task, demand)) / (slowdown * phase.size(task));
    return Arrays.stream(rates).filter(r -> r < rate).count() / (double) rates.length;
  }

  /** Verifies one pass of {@link SlowerAttemptRule}. */
  public static void verifySlowerAttempts(PhaseModel phase, double now, List<Decision> decisions) {
    Set<AttemptModel> ended = new HashSet<>();
    for (Decision decision : decisions) {
      AttemptModel slower = decision.attempt().orElseThrow();
      TaskModel task = decision.task();
      assertThat(ended.add(slower)).isTrue();
      assertThat(decision.action()).isEqualTo(Action.PRUNE);
      assertThat(slower.state()).isEqualTo(AttemptState.RUNNING);
      assertThat(task.isDone()).isFalse();
      assertThat(task.isCommitting()).isFalse();
      double seconds = REMAINING.seconds(slower, now);
      assertThat(task.attempts())
          .as("one with no less of a claim, that is heard of, and faster")
          .anyMatch(
              a ->
                  (!task.isClone(a) || (task.isClone(slower) && a.number() < slower.number()))
                      && a.state() == AttemptState.RUNNING
                      && a.silence(now) == 0
                      && mayReplace(a, slower, seconds)
                      && REMAINING.seconds(a, now) < seconds);
    }
    for (TaskModel task : phase.running()) {
      List<AttemptModel> stay =
          task.attempts().stream()
              .filter(a -> a.state() == AttemptState.RUNNING && !ended.contains(a))
              .toList();
      assertThat(stay).as("somebody stays").isNotEmpty();
      boolean hadOrdinary =
          task.attempts().stream()
              .anyMatch(a -> a.state() == AttemptState.RUNNING && !task.isClone(a));
      assertThat(hadOrdinary && stay.stream().allMatch(task::isClone))
          .as("not with clones alone")
          .isFalse();
    }
  }

  /** Returns whether one attempt has come as far as another, or soon may have, or that is dead. */
  private static boolean mayReplace(AttemptModel one, AttemptModel other, double remaining) {
    int further = one.subPhase().compareTo(other.subPhase());
    boolean isBehind = remaining < Double.POSITIVE_INFINITY && one.work() < other.work();
    return further > 0
        || (further == 0 && !isBehind)
        || other.task().phase().liveness().isOnDeadMachine(other);
  }

  /** Verifies one pass of {@link PruningRule}. */
  public static void verifyPrune(PhaseModel phase, double now, List<Decision> decisions) {
    Set<AttemptModel> once = new HashSet<>();
    for (Decision decision : decisions) {
      AttemptModel pruned = decision.attempt().orElseThrow();
      TaskModel task = decision.task();
      assertThat(once.add(pruned)).isTrue();
      assertThat(decision.action()).isEqualTo(Action.PRUNE);
      assertThat(pruned.state()).isEqualTo(AttemptState.RUNNING);
      assertThat(task.isDone()).isFalse();
      assertThat(task.isCommitting()).isFalse();
      assertThat(now - pruned.launchedAt()).isGreaterThan(phase.delta());
      if (task.hasClones()) {
        assertThat(task.attempts().stream().filter(a -> a.state() == AttemptState.RUNNING))
            .as("the oldest stays")
            .first()
            .isNotSameAs(pruned);
      }
      double seconds = REMAINING.seconds(pruned, now);
      List<AttemptModel> better =
          task.attempts().stream()
              .filter(a -> a != pruned && a.state() == AttemptState.RUNNING)
              .filter(a -> REMAINING.seconds(a, now) <= seconds)
              .toList();
      assertThat(better)
          .as("as fast or faster ones that stay")
          .hasSizeGreaterThanOrEqualTo(PruningRule.ALPHA)
          .as("of which one has come as far")
          .anyMatch(a -> mayReplace(a, pruned, seconds));
    }
  }
}
