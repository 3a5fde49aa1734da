// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.simulator.result.Spread;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.Scenario;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;

/**
 * All runs of one fault.
 *
 * @param scenario the fault
 * @param series how many jobs one run is made of
 * @param runs its jobs, clean ones included, by repeat
 */
public record ScenarioResult(Scenario scenario, int series, List<DemoRun> runs) {
  /** A fault that costs less than so many seconds cost nothing that could be told from chance. */
  private static final double LEAST_COST_SECONDS = 1;

  /** Copies the list. */
  public ScenarioResult {
    runs = List.copyOf(runs);
  }

  /** The modes that there are runs of, in their usual order. */
  List<RunMode> modes() {
    return Arrays.stream(RunMode.values()).filter(mode -> !of(mode).isEmpty()).toList();
  }

  /** The runs of a mode. */
  List<DemoRun> of(RunMode mode) {
    return runs.stream().filter(run -> run.mode() == mode).toList();
  }

  /** A figure of the runs of a mode whose job ended well. */
  Optional<Spread> spread(RunMode mode, ToDoubleFunction<DemoRun> figure) {
    return Spread.of(
        of(mode).stream()
            .filter(run -> run.result().succeeded())
            .map(figure::applyAsDouble)
            .toList());
  }

  /** The runs of a mode, each with the jobs that it is made of. */
  List<List<DemoRun>> seriesOf(RunMode mode) {
    List<DemoRun> jobs = of(mode);
    List<List<DemoRun>> all = new ArrayList<>();
    for (int from = 0; from < jobs.size(); from += series) {
      all.add(jobs.subList(from, Math.min(jobs.size(), from + series)));
    }
    return all;
  }

  /**
   * The job time that a share of a mode's jobs did not exceed, seconds; Hyndman and Fan's type 6
   * between two jobs.
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

  /** A figure of those runs of a mode that it is known of. */
  Optional<Spread> known(RunMode mode, Function<DemoRun, OptionalDouble> figure) {
    return Spread.of(
        of(mode).stream()
            .filter(run -> run.result().succeeded())
            .map(figure)
            .filter(OptionalDouble::isPresent)
            .map(OptionalDouble::getAsDouble)
            .toList());
  }

  /** Job time, seconds. */
  Optional<Spread> jobSeconds(RunMode mode) {
    return spread(mode, DemoRun::jobSeconds);
  }

  /** What the fault costs without speculation, {@code off - clean}, seconds. */
  Optional<Spread> cost() {
    List<Double> costs = new ArrayList<>();
    for (DemoRun clean : of(RunMode.CLEAN)) {
      good(RunMode.OFF, clean.repeat())
          .filter(off -> clean.result().succeeded())
          .ifPresent(off -> costs.add(off.jobSeconds() - clean.jobSeconds()));
    }
    return Spread.of(costs);
  }

  /**
   * The share of the fault's cost that a mode saves, {@code (off - x) / (off - clean)}, taken
   * within each repeat. Below 0: it made things worse; above 1: the job was faster than the clean
   * one. It is left out of repeats in which the fault cost next to nothing.
   */
  Optional<Spread> recovered(RunMode mode) {
    List<Double> shares = new ArrayList<>();
    for (DemoRun run : of(mode)) {
      Optional<DemoRun> off = good(RunMode.OFF, run.repeat());
      Optional<DemoRun> clean = good(RunMode.CLEAN, run.repeat());
      if (run.result().succeeded() && off.isPresent() && clean.isPresent()) {
        share(off.get().jobSeconds(), run.jobSeconds(), clean.get().jobSeconds())
            .ifPresent(shares::add);
      }
    }
    return Spread.of(shares);
  }

  /** {@code (off - x) / (off - clean)}, if that means anything. */
  static Optional<Double> share(double off, double x, double clean) {
    double cost = off - clean;
    return cost < LEAST_COST_SECONDS ? Optional.empty() : Optional.of((off - x) / cost);
  }

  /** Whether every job ended well and wrote what the others wrote. */
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
