// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.simulator.result.Spread;
import io.drover.testbed.job.DemoJobSpec.SampleSpec;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.Scenario;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;

/**
 * The results of all runs of one fault.
 *
 * @param scenario the fault
 * @param series number of jobs in one run
 * @param runs the jobs of its runs, clean ones included, by repetition
 */
public record ScenarioResult(Scenario scenario, int series, List<DemoRun> runs) {
  /** A fault that costs fewer seconds than this cannot be told from chance. */
  private static final double LEAST_COST_SECONDS = 1;

  /** Copies the list. */
  public ScenarioResult {
    runs = List.copyOf(runs);
  }

  /** Returns the share of the slots that another application held; empty in most scenarios. */
  OptionalDouble load() {
    return runs.stream()
        .flatMap(run -> run.result().spec().sample().stream())
        .mapToDouble(SampleSpec::load)
        .findFirst();
  }

  /** Returns the scenario's key, with the load if there is one: {@code sampling at 50 %}. */
  String name() {
    return scenario.key() + withLoad(" at %s");
  }

  /** Returns what goes wrong. */
  String title() {
    return scenario == Scenario.FAULTS && !runs.isEmpty()
        ? runs.get(0).result().spec().faults().stream()
            .map(fault -> fault.kind().title())
            .collect(Collectors.joining("; "))
        : scenario.title();
  }

  /** Returns a noun for the scenario, with the load if there is one. */
  String noun() {
    return DemoSummary.noun(scenario) + withLoad(", %s of the slots taken");
  }

  private String withLoad(String words) {
    OptionalDouble load = load();
    return load.isEmpty() ? "" : words.formatted(DemoSummary.percent(load.getAsDouble()));
  }

  /** Returns the run of median job time of each mode. */
  List<DemoRun> typical() {
    List<DemoRun> typical = new ArrayList<>();
    for (RunMode mode : modes()) {
      double[] times = of(mode).stream().mapToDouble(DemoRun::jobSeconds).toArray();
      typical.add(of(mode).get(Spread.indexOfMedian(times)));
    }
    return typical;
  }

  /** Returns the modes that have runs, in the order of {@link RunMode}. */
  List<RunMode> modes() {
    return Arrays.stream(RunMode.values()).filter(mode -> !of(mode).isEmpty()).toList();
  }

  /** Returns the runs of a mode. */
  List<DemoRun> of(RunMode mode) {
    return runs.stream().filter(run -> run.mode() == mode).toList();
  }

  /** Returns the spread of a figure over the runs of a mode whose jobs succeeded. */
  Optional<Spread> spread(RunMode mode, ToDoubleFunction<DemoRun> figure) {
    return Spread.of(
        of(mode).stream()
            .filter(run -> run.result().succeeded())
            .map(figure::applyAsDouble)
            .toList());
  }

  /** Returns the runs of a mode, each as the list of its jobs. */
  List<List<DemoRun>> seriesOf(RunMode mode) {
    List<DemoRun> jobs = of(mode);
    List<List<DemoRun>> all = new ArrayList<>();
    for (int from = 0; from < jobs.size(); from += series) {
      all.add(jobs.subList(from, Math.min(jobs.size(), from + series)));
    }
    return all;
  }

  /**
   * Returns the job time in seconds that a share of a mode's jobs did not exceed. Interpolates
   * between jobs by Hyndman and Fan's type 6.
   *
   * @param percent in (0,100]
   */
  OptionalDouble percentile(RunMode mode, double percent) {
    return percentile(of(mode), percent);
  }

  static OptionalDouble percentile(List<DemoRun> jobs, double percent) {
    double[] times =
        jobs.stream()
            .filter(job -> job.result().succeeded())
            .mapToDouble(DemoRun::jobSeconds)
            .toArray();
    return times.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(new Percentile(percent).evaluate(times));
  }

  /** Returns the spread of a figure over the runs of a mode for which it is known. */
  Optional<Spread> known(RunMode mode, Function<DemoRun, OptionalDouble> figure) {
    return Spread.of(
        of(mode).stream()
            .filter(run -> run.result().succeeded())
            .map(figure)
            .filter(OptionalDouble::isPresent)
            .map(OptionalDouble::getAsDouble)
            .toList());
  }

  /** Returns the job times in seconds. */
  Optional<Spread> jobSeconds(RunMode mode) {
    return spread(mode, DemoRun::jobSeconds);
  }

  /** Returns what the fault costs without speculation, {@code off - clean}, in seconds. */
  Optional<Spread> cost() {
    return cost(RunMode.OFF);
  }

  /** Returns what the fault cost in a mode. */
  Optional<Spread> cost(RunMode mode) {
    List<Double> costs = new ArrayList<>();
    for (DemoRun clean : of(RunMode.CLEAN)) {
      good(mode, clean.repeat())
          .filter(run -> clean.result().succeeded())
          .ifPresent(run -> costs.add(run.jobSeconds() - clean.jobSeconds()));
    }
    return Spread.of(costs);
  }

  /** Returns whether what the fault cost in a mode is known and next to nothing in every repeat. */
  boolean costsLittle(RunMode mode) {
    return cost(mode).filter(cost -> cost.max() < LEAST_COST_SECONDS).isPresent();
  }

  /**
   * Returns the share of the fault's cost that a mode saves, {@code (off - x) / (off - clean)},
   * within each repetition. Below 0, the mode made things worse; above 1, the job was faster than
   * the clean one. Leaves out repetitions in which the fault cost next to nothing.
   */
  Optional<Spread> recovered(RunMode mode) {
    return recovered(mode, RunMode.OFF);
  }

  /** Returns the same share of what the fault cost in another mode than the one without help. */
  Optional<Spread> recovered(RunMode mode, RunMode against) {
    List<Double> shares = new ArrayList<>();
    for (DemoRun run : of(mode)) {
      Optional<DemoRun> off = good(against, run.repeat());
      Optional<DemoRun> clean = good(RunMode.CLEAN, run.repeat());
      if (run.result().succeeded() && off.isPresent() && clean.isPresent()) {
        share(off.get().jobSeconds(), run.jobSeconds(), clean.get().jobSeconds())
            .ifPresent(shares::add);
      }
    }
    return Spread.of(shares);
  }

  /** Returns {@code (off - x) / (off - clean)}, or empty if the cost is too small to compare. */
  static Optional<Double> share(double off, double x, double clean) {
    double cost = off - clean;
    return cost < LEAST_COST_SECONDS ? Optional.empty() : Optional.of((off - x) / cost);
  }

  /** Returns whether every job succeeded and all jobs with the same input wrote the same. */
  boolean isGood() {
    return runs.stream().allMatch(run -> run.result().succeeded() && run.outputEqual());
  }

  private Optional<DemoRun> good(RunMode mode, int repeat) {
    return runs.stream()
        .filter(run -> run.mode() == mode && run.repeat() == repeat)
        .filter(run -> run.result().succeeded())
        .findFirst();
  }
}
