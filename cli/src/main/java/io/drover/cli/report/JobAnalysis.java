// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.cli.report.CauseFinder.Finding;
import io.drover.cli.report.Hindsight.Act;
import io.drover.core.model.TaskKind;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.history.JobRecord;
import io.drover.testbed.history.TaskRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Why a job took as long as it did.
 *
 * @param job the job
 * @param stragglers the tasks that held it back, dearest first
 * @param phaseCosts what whole phases lost, without any task being slower than the others
 * @param machines how fast attempts ran where
 * @param acts what Drover's restart policy would have decided, by the task's name
 * @param savedSeconds by how much the job would have been shorter then
 */
record JobAnalysis(
    JobRecord job,
    List<Straggler> stragglers,
    List<PhaseCost> phaseCosts,
    MachinePaces machines,
    Map<String, Act> acts,
    double savedSeconds) {

  /** A fetch of all reduces that is slower than this is not what any network is built for, B/s. */
  private static final double SLOW_FETCH = 2.5e6;

  /** What a fetch takes apart from its bytes: connections, the last events of maps; seconds. */
  private static final double FETCH_OVERHEAD = 5;

  /** A wait for slots is one if it is this share of a task's usual time, or more. */
  private static final double A_WAVE = 0.5;

  /** A lone task is told of if it is this share of the job's time. */
  private static final double MOST_OF_THE_JOB = 0.3;

  /**
   * What a phase as a whole lost.
   *
   * @param kind the phase
   * @param cause why
   * @param costSeconds the part of the job's time that is its fault
   * @param evidence the figures behind the cause, in half a sentence
   */
  record PhaseCost(TaskKind kind, Cause cause, double costSeconds, String evidence) {}

  /** Analyses a job. */
  static JobAnalysis of(JobRecord job) {
    PhaseTimes maps = PhaseTimes.ofMaps(job);
    PhaseTimes reduces = PhaseTimes.ofReduces(job, maps);
    MachinePaces machines = new MachinePaces();
    machines.add(maps);
    machines.add(reduces);
    List<Straggler> stragglers = new ArrayList<>();
    List<PhaseCost> phaseCosts = new ArrayList<>();
    for (PhaseTimes phase : List.of(maps, reduces)) {
      stragglers.addAll(stragglers(phase, machines));
      if (!job.uber()) { // its tasks ran one after the other, within its AppMaster
        phaseCosts.addAll(waiting(phase));
        loneTask(job, phase).ifPresent(phaseCosts::add);
      }
    }
    slowFetches(reduces).ifPresent(phaseCosts::add);
    stragglers.sort(Comparator.comparingDouble(straggler -> -straggler.costSeconds()));
    Map<String, Act> acts = Hindsight.of(job, maps.end());
    double saved = saved(maps, acts) + saved(reduces, acts);
    return new JobAnalysis(
        job, List.copyOf(stragglers), List.copyOf(phaseCosts), machines, acts, saved);
  }

  private static List<Straggler> stragglers(PhaseTimes phase, MachinePaces machines) {
    if (phase.median().isEmpty()) {
      return List.of();
    }
    double[] costs = TailCost.of(phase.ends(), phase.usualEnds());
    CauseFinder finder = new CauseFinder(phase, machines);
    List<Straggler> stragglers = new ArrayList<>();
    for (int i = 0; i < costs.length; i++) {
      if (phase.isSlow(i)) {
        TaskRecord task = phase.tasks().get(i);
        Finding finding = finder.find(i);
        stragglers.add(
            new Straggler(
                task,
                finding.attempt(),
                phase.seconds(i),
                phase.median().getAsDouble(),
                costs[i],
                finding.cause(),
                finding.evidence()));
      }
    }
    return stragglers;
  }

  /** Tasks that did not begin with the first ones waited for the next AppMaster, or for slots. */
  private static List<PhaseCost> waiting(PhaseTimes phase) {
    double seconds = phase.secondsOfWaiting();
    double median = phase.median().orElse(Double.POSITIVE_INFINITY);
    if (seconds < A_WAVE * median) {
      return List.of();
    }
    List<PhaseCost> costs = new ArrayList<>();
    double ofMasters = Math.min(seconds, phase.secondsOfLostMasters());
    if (ofMasters > 0) {
      costs.add(
          new PhaseCost(
              phase.kind(),
              Cause.LOST_MASTER,
              ofMasters,
              "its AppMaster was lost, and from the start of the last task whose work was kept to"
                  + " the next start it took "
                  + Figures.seconds(ofMasters)));
    }
    if (seconds - ofMasters >= A_WAVE * median) {
      costs.add(
          new PhaseCost(
              phase.kind(),
              Cause.WAITING_FOR_SLOTS,
              seconds - ofMasters,
              "%d tasks of %s each ran in %s"
                  .formatted(
                      phase.tasks().size(),
                      Figures.seconds(median),
                      Figures.seconds(phase.end() - phase.begin()))));
    }
    return costs;
  }

  private static Optional<PhaseCost> loneTask(JobRecord job, PhaseTimes phase) {
    double seconds = phase.end() - phase.begin();
    boolean isLong = seconds > MOST_OF_THE_JOB * job.time().toMillis() / 1e3;
    return phase.tasks().size() >= PhaseTimes.LEAST_TASKS || phase.tasks().isEmpty() || !isLong
        ? Optional.empty()
        : Optional.of(
            new PhaseCost(
                phase.kind(),
                Cause.LONE_TASK,
                0,
                "%s of the job's time, and nothing to compare it with"
                    .formatted(Figures.percent(seconds, job.time().toMillis() / 1e3))));
  }

  /**
   * Where the reduces fetch slowly as a whole, as they do from a machine with a slow link, none of
   * them is slower than the others. So their fetches are compared with a rate that any network has.
   */
  private static Optional<PhaseCost> slowFetches(PhaseTimes reduces) {
    List<AttemptRecord> winners =
        reduces.tasks().stream().flatMap(task -> task.winner().stream()).toList();
    double[] seconds =
        winners.stream()
            .map(reduces::fetchSeconds)
            .flatMapToDouble(OptionalDouble::stream)
            .toArray();
    if (seconds.length == 0) {
      return Optional.empty();
    }
    double bytes =
        StatUtils.percentile(
            winners.stream().mapToDouble(a -> a.figures().bytesRead().orElse(0)).toArray(), 50);
    double median = StatUtils.percentile(seconds, 50);
    double expected = FETCH_OVERHEAD + bytes / SLOW_FETCH;
    return median <= 2 * expected
        ? Optional.empty()
        : Optional.of(
            new PhaseCost(
                TaskKind.REDUCE,
                Cause.SLOW_LINK,
                median - expected,
                "the median reduce fetched for %s after the last map, %.1f MB in all"
                    .formatted(Figures.seconds(median), bytes / 1e6)));
  }

  private static double saved(PhaseTimes phase, Map<String, Act> acts) {
    double end = 0;
    for (int i = 0; i < phase.tasks().size(); i++) {
      Act act = acts.get(phase.tasks().get(i).name());
      double copied = act == null ? Double.POSITIVE_INFINITY : act.end();
      end = Math.max(end, Math.min(phase.end(i), Math.max(phase.begin(i), copied)));
    }
    return phase.tasks().isEmpty() ? 0 : phase.end() - end;
  }

  /** Returns the seconds that all causes together cost. */
  double costSeconds() {
    return stragglers.stream().mapToDouble(Straggler::costSeconds).sum()
        + phaseCosts.stream().mapToDouble(PhaseCost::costSeconds).sum();
  }

  /** Returns the seconds of the causes on which Drover acts. */
  double actedOnSeconds() {
    return stragglers.stream()
            .filter(straggler -> straggler.cause().isActedOn())
            .mapToDouble(Straggler::costSeconds)
            .sum()
        + phaseCosts.stream()
            .filter(cost -> cost.cause().isActedOn())
            .mapToDouble(PhaseCost::costSeconds)
            .sum();
  }

  /** Returns what each cause cost, seconds, dearest first. */
  Map<Cause, Double> costs() {
    Map<Cause, Double> costs = new EnumMap<>(Cause.class);
    stragglers.forEach(slow -> costs.merge(slow.cause(), slow.costSeconds(), Double::sum));
    phaseCosts.forEach(cost -> costs.merge(cost.cause(), cost.costSeconds(), Double::sum));
    Map<Cause, Double> sorted = new LinkedHashMap<>();
    costs.entrySet().stream()
        .sorted(Map.Entry.<Cause, Double>comparingByValue().reversed())
        .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    return sorted;
  }

  /** Returns the cause that cost most; empty if none cost anything. */
  Optional<Cause> mainCause() {
    return costs().entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Returns the time of all attempts whose output was not used, seconds. */
  double wastedSeconds() {
    return job.attempts().stream()
        .filter(attempt -> attempt.outcome() != Outcome.WON)
        .filter(attempt -> attempt.outcome() != Outcome.UNKNOWN)
        .mapToDouble(attempt -> attempt.duration().toMillis() / 1e3)
        .sum();
  }

  /** Returns the time of all attempts, seconds. */
  double taskSeconds() {
    return job.attempts().stream().mapToDouble(a -> a.duration().toMillis() / 1e3).sum();
  }
}
