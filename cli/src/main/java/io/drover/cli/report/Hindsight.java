// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Demand;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.ProgressReport;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import io.drover.core.restart.MantriRestart;
import io.drover.core.restart.RestartPolicy;
import io.drover.core.restart.RestartSettings;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.history.AttemptRecord.Role;
import io.drover.testbed.history.JobRecord;
import io.drover.testbed.history.TaskRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import org.apache.commons.math3.stat.StatUtils;

/**
 * What Drover's restart policy would have decided in a job that ran without it.
 *
 * <p>The policy is the one that runs in an AppMaster. It is shown the job as the history tells it:
 * when attempts were launched and ended, and progress reports made from the time that each attempt
 * spent in each part of its progress. Where the history does not say how an attempt progressed, one
 * that succeeded counts as steady, and one that was killed is left out. Copies that Hadoop made are
 * left out too: without them the first attempt would have gone on.
 *
 * <p>Only the first decision about a task counts, since the job would have run differently after
 * it. Nothing is known of free slots, so each copy is assumed to find one.
 */
final class Hindsight {
  /** The default of {@code mapreduce.task.progress-report.interval}, seconds. */
  private static final double LEAST_PERIOD = 3;

  /** A long job is looked at so many times at most. */
  private static final double MOST_PASSES = 400;

  /** If a container that was asked for so many periods ago has not come, no slot is free. */
  private static final double PATIENCE = 3;

  /** The share of a map's progress that is reading, where there are reduces (Hadoop's MapTask). */
  private static final double MAP_SHARE = 0.667;

  /**
   * A decision.
   *
   * @param at when, in seconds since the job was submitted
   * @param restart whether the attempt would have been killed; if not, it would have been copied
   * @param remainingSeconds how long the attempt would have taken yet, as expected then; infinite
   *     if it had stopped
   * @param freshSeconds how long the new attempt would have taken, as expected then
   * @param reason why, with the figures
   */
  record Act(
      double at, boolean restart, double remainingSeconds, double freshSeconds, String reason) {
    /** Returns when the task would have been done. */
    double end() {
      return at + freshSeconds;
    }
  }

  /** The number keeps the order of those that happen at one time. */
  private record Event(double at, int order, long number, Runnable happens) {}

  private final JobRecord job;
  private final double period;
  private final double end;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.comparingDouble(Event::at)
              .thenComparingInt(Event::order)
              .thenComparingLong(Event::number));
  private long added;
  private final PhaseModel maps;
  private final PhaseModel reduces;
  private final Map<TaskModel, String> names = new HashMap<>();
  private final Map<TaskKind, Double> usualPart = new EnumMap<>(TaskKind.class);

  private Hindsight(JobRecord job, double mapsEnd) {
    this.job = job;
    this.end = job.time().toMillis() / 1e3;
    this.period = Math.max(LEAST_PERIOD, job.time().toMillis() / 1e3 / MOST_PASSES);
    EstimatorSettings settings =
        EstimatorSettings.withPeriod(Duration.ofMillis(Math.round(period * 1000)));
    this.maps = new PhaseModel(TaskKind.MAP, settings);
    this.reduces = new PhaseModel(TaskKind.REDUCE, settings);
    for (TaskKind kind : TaskKind.values()) {
      usualPart.put(kind, usualPart(kind));
    }
    job.tasks().forEach(this::addTask);
    double ready = Math.min(mapsEnd, end);
    at(ready, 4, () -> reduces.inputsReady(ready));
  }

  /**
   * Returns the first decision about each task that would have been copied or restarted, by the
   * task's name.
   *
   * @param mapsEnd when the last map ended, seconds since the job was submitted
   */
  static Map<String, Act> of(JobRecord job, double mapsEnd) {
    return new Hindsight(job, mapsEnd).acts();
  }

  /** Returns how long a part of the progress takes in the median task; NaN if that is not known. */
  private double usualPart(TaskKind kind) {
    double[] parts =
        job.tasks().stream()
            .filter(task -> task.kind() == kind)
            .flatMap(task -> task.winner().stream())
            .flatMap(won -> ProgressProfile.of(won, Double.NaN).stream())
            .flatMapToDouble(profile -> profile.partSeconds().stream())
            .toArray();
    return StatUtils.percentile(parts, 50);
  }

  private void addTask(TaskRecord task) {
    PhaseModel phase = task.kind() == TaskKind.MAP ? maps : reduces;
    long bytes =
        task.winner().stream()
            .mapToLong(won -> won.figures().bytesRead().orElse(0))
            .findFirst()
            .orElse(0);
    boolean isKnown = task.kind() == TaskKind.MAP && bytes > 0;
    TaskModel model = isKnown ? phase.addTask(bytes) : phase.addTask();
    names.put(model, task.name());
    for (AttemptRecord attempt : task.attempts()) {
      if (attempt.outcome() == Outcome.OUTPUT_LOST) {
        retry(model, task, attempt);
      } else if (attempt.role() != Role.COPY && (attempt.won() || isTold(attempt))) {
        addAttempt(model, task, attempt);
      }
    }
  }

  /** The task was done, until its output was found to be lost and its next attempt was launched. */
  private void retry(TaskModel model, TaskRecord task, AttemptRecord lost) {
    addAttempt(model, task, lost);
    task.attempts().stream()
        .filter(next -> next.attempt() > lost.attempt() && next.role() == Role.RETRY)
        .mapToDouble(next -> PhaseTimes.since(job, next.start()))
        .min()
        .ifPresent(again -> at(again, -1, model::undone));
  }

  /** Returns whether the history says how an attempt progressed. */
  private static boolean isTold(AttemptRecord attempt) {
    return !attempt.figures().clockSplits().isEmpty();
  }

  private void addAttempt(TaskModel model, TaskRecord task, AttemptRecord attempt) {
    double launched = PhaseTimes.since(job, attempt.start());
    double scheduled =
        task.scheduled().stream()
            .mapToDouble(time -> PhaseTimes.since(job, time))
            .findFirst()
            .orElse(launched);
    double requested = attempt.role() == Role.FIRST ? Math.min(scheduled, launched) : launched;
    double ended = Math.min(PhaseTimes.since(job, attempt.finish()), end);
    if (launched < 0 || launched > ended) {
      return; // a damaged time
    }
    AttemptModel[] modelled = new AttemptModel[1];
    at(requested, 0, () -> modelled[0] = model.addAttempt(attempt.attempt(), requested));
    at(
        launched,
        1,
        () -> {
          modelled[0].launched(launched, attempt.node());
          reportAt(launched + period, modelled[0], attempt, profile(task, attempt), ended);
        });
    AttemptState how =
        switch (attempt.outcome()) {
          case WON, OUTPUT_LOST -> AttemptState.SUCCEEDED;
          case FAILED -> AttemptState.FAILED;
          case KILLED, UNKNOWN -> AttemptState.KILLED;
        };
    at(ended, 3, () -> modelled[0].ended(how, ended));
  }

  private Optional<ProgressProfile> profile(TaskRecord task, AttemptRecord attempt) {
    return ProgressProfile.of(attempt, usualPart.getOrDefault(task.kind(), Double.NaN));
  }

  /** Reports the progress of an attempt, and then again in each period until it ends. */
  private void reportAt(
      double now,
      AttemptModel model,
      AttemptRecord attempt,
      Optional<ProgressProfile> profile,
      double ended) {
    if (now >= ended) {
      return;
    }
    double age = now - model.launchedAt();
    double seconds = Math.max(1e-3, ended - model.launchedAt());
    double start = profile.map(ProgressProfile::startSeconds).orElse(0.0);
    at(
        now,
        2,
        () -> {
          if (age > start) { // nothing is heard of an attempt before
            double progress = profile.map(of -> of.at(age)).orElse(age / seconds);
            report(attempt, progress, now).tell(model);
          }
          reportAt(now + period, model, attempt, profile, ended);
        });
  }

  private void at(double when, int order, Runnable happens) {
    events.add(new Event(when, order, added++, happens));
  }

  private ProgressReport report(AttemptRecord attempt, double progress, double now) {
    if (attempt.kind() == TaskKind.MAP) {
      double share = job.reduces() > 0 ? MAP_SHARE : 1;
      SubPhase subPhase = progress < share ? SubPhase.MAP : SubPhase.WRAP_UP;
      double fraction = subPhase == SubPhase.MAP ? progress / share : progress;
      return new ProgressReport(now, subPhase, fraction, 0, 0, Double.NaN, Double.NaN, Double.NaN);
    }
    double shuffled = endOf(attempt.shuffleFinish(), now);
    double sorted = endOf(attempt.sortFinish(), now);
    SubPhase subPhase =
        !Double.isNaN(sorted) || progress >= 2.0 / 3
            ? SubPhase.REDUCE
            : !Double.isNaN(shuffled) || progress >= 1.0 / 3 ? SubPhase.SORT : SubPhase.SHUFFLE;
    double fraction =
        switch (subPhase) {
          case REDUCE -> progress * 3 - 2;
          case SORT -> progress * 3 - 1;
          default -> progress * 3;
        };
    long bytes = Double.isNaN(shuffled) ? 0 : attempt.figures().bytesRead().orElse(0);
    return new ProgressReport(now, subPhase, fraction, 0, bytes, Double.NaN, shuffled, sorted);
  }

  /** Returns when a part of a reduce ended, if it has by now; else NaN. */
  private double endOf(Optional<Instant> end, double now) {
    double at = end.map(time -> PhaseTimes.since(job, time)).orElse(Double.POSITIVE_INFINITY);
    return at <= now ? at : Double.NaN;
  }

  private Map<String, Act> acts() {
    Map<String, Act> first = new HashMap<>();
    RestartPolicy policy = new MantriRestart(RestartSettings.DEFAULT);
    double next = period;
    for (Event event = events.poll(); event != null; event = events.poll()) {
      for (; next <= event.at(); next += period) {
        decide(policy, maps, next, first);
        decide(policy, reduces, next, first);
      }
      event.happens().run();
    }
    return first;
  }

  private void decide(RestartPolicy policy, PhaseModel phase, double now, Map<String, Act> first) {
    boolean tasksWait = Demand.doTasksWait(phase, now, PATIENCE * period);
    Demand demand = new Demand(tasksWait, OptionalInt.empty());
    for (Decision decision : policy.decide(phase, demand, now)) {
      Action action = decision.action();
      String task = names.get(decision.task());
      boolean acts = action == Action.DUPLICATE || action == Action.KILL_AND_RESTART;
      if (acts && !first.containsKey(task)) {
        Act act =
            new Act(
                now,
                action == Action.KILL_AND_RESTART,
                decision.evidence().remaining().orElse(Double.POSITIVE_INFINITY),
                decision.evidence().fresh().orElse(0),
                decision.explain());
        first.put(task, act);
      }
    }
  }
}
