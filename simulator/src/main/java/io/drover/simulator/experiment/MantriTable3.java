// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.core.config.BadSettingException;
import io.drover.core.config.RestartKeys;
import io.drover.simulator.engine.Simulation;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.Row;
import io.drover.simulator.scheme.Schemes;
import io.drover.simulator.world.Chance;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Draws;
import io.drover.simulator.world.Overheads;
import io.drover.simulator.world.Slowness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.math3.special.Gamma;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Mantri's table 3 (appendix A): by how much restarts cut the expected time of a phase of n tasks
 * on s slots if the times R of attempts have {@code P(R > r) = r^-beta, r >= 1}; Delta = 1.
 *
 * <p>Here a task has one byte, which takes a second, and its slowness is R. So tasks report, and
 * core decides, each second. Three reductions are compared with the printed one:
 *
 * <ul>
 *   <li>the <em>bound</em> of the appendix, equation (5): times of the same rank from the tail that
 *       it proves. There a restart costs Delta instead of the time that was lost;
 *   <li><em>core</em> as shipped, the scheme {@code mantri};
 *   <li><em>core, early</em>: the same after two reports instead of three. Reports are exact here,
 *       so an earlier judgement is as good as a later one. Reports of real tasks are not exact.
 * </ul>
 *
 * <p>If beta is at most 2, the time T of an untouched phase has no finite variance, so sampling
 * cannot give its mean. But T is the longest task M plus the rest, {@code E[M] = n! Gamma(1 -
 * 1/beta) / Gamma(n + 1 - 1/beta)} is known, and T - M has a finite variance. So {@code E[T] = E[M]
 * + mean(T - M)}. The reduction is {@code 1 - mean(T') / E[T]}, with the same first attempts in all
 * runs.
 */
final class MantriTable3 extends PaperFigure {
  private static final int USUAL_REPETITIONS = 500;

  /** A row of the table. */
  private record PrintedRow(double beta, int tasks, int slots, double printed) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "beta %.1f, n %d, s %d", beta, tasks, slots);
    }
  }

  /** Table 3, appendix A. */
  private static final List<PrintedRow> TABLE =
      List.of(
          new PrintedRow(1.1, 200, 100, 0.99),
          new PrintedRow(1.5, 200, 100, 0.91),
          new PrintedRow(1.5, 100, 50, 0.86),
          new PrintedRow(2.0, 100, 50, 0.59));

  /** A reduction and its standard error, as fractions. */
  private record Reduction(double value, double error) {}

  /** The result of one way to run a row. */
  private record Found(PrintedRow line, String how, Reduction reduction) {
    Row row() {
      return Row.ofShare(line + how, line.printed(), reduction.value());
    }
  }

  private final int repetitions;

  MantriTable3() {
    this(USUAL_REPETITIONS);
  }

  MantriTable3(int repetitions) {
    super("mantri-table3");
    this.repetitions = repetitions;
  }

  /** Gives attempts times with the tail r^-beta. */
  private record Pareto(double beta, long seed) implements Slowness {
    @Override
    public double of(long phase, int task, int attempt, int machine) {
      return Math.pow(Chance.uniform(Draws.key(seed, phase, task, attempt)), -1 / beta);
    }

    double longest(int tasks) {
      return IntStream.range(0, tasks).mapToDouble(task -> of(0, task, 0, 0)).max().orElseThrow();
    }

    @Override
    public List<String> provenance() {
      return List.of("Slowness: Pareto, as in the appendix.");
    }
  }

  /** Replaces each time by the shorter one of the same rank in the bound (5). */
  private record Bound(Pareto times) implements Slowness {
    @Override
    public double of(long phase, int task, int attempt, int machine) {
      double time = times.of(phase, task, attempt, machine);
      double ts = times.beta() / (times.beta() - 1); // E[R]
      double tk = ts + 1;
      return time < tk ? time : tk + Math.log(time / tk) / Math.log(ts);
    }

    @Override
    public List<String> provenance() {
      return times.provenance();
    }
  }

  @Override
  public List<String> steps() {
    return TABLE.stream().map(PrintedRow::toString).toList();
  }

  @Override
  public ExperimentResult run(ExperimentSettings settings) {
    List<Found> all = new ArrayList<>();
    for (PrintedRow line : TABLE) {
      settings.progress().begin(repetitions);
      all.addAll(play(line, settings));
      settings.progress().end(line.toString());
    }
    List<Row> rows = all.stream().map(Found::row).toList();
    return new ExperimentResult(
        rows,
        why(
            Map.of(
                "phases", String.valueOf(repetitions),
                "error", String.format(Locale.ROOT, "%.2f", 100 * greatestError(all)))),
        provenance());
  }

  /** Runs a row of the table. */
  private List<Found> play(PrintedRow line, ExperimentSettings settings) {
    double[] excess = new double[repetitions];
    double[] bound = new double[repetitions];
    double[] core = new double[repetitions];
    double[] early = new double[repetitions];
    for (int i = 0; i < repetitions; i++) {
      long seed = Draws.key(settings.seed(), i);
      SimulationSettings usual = SimulationSettings.defaults(seed);
      Pareto times = new Pareto(line.beta(), seed);
      excess[i] = seconds(line, times, "none", usual) - times.longest(line.tasks());
      bound[i] = seconds(line, new Bound(times), "none", usual);
      core[i] = seconds(line, times, "mantri", usual);
      early[i] = seconds(line, times, "mantri", early(seed));
      settings.progress().ended(i + 1);
    }
    double longest = meanLongest(line.tasks(), line.beta());
    return List.of(
        new Found(line, ": the bound", reduction(bound, excess, longest)),
        new Found(line, ": core", reduction(core, excess, longest)),
        new Found(line, ": core, early", reduction(early, excess, longest)));
  }

  /** Returns 1 - mean(T') / E[T], and its standard error by the delta method. */
  private static Reduction reduction(double[] under, double[] excess, double longest) {
    double mean = StatUtils.mean(under);
    double untouched = longest + StatUtils.mean(excess);
    double ratio = mean / untouched;
    double[] deviations = new double[under.length];
    Arrays.setAll(deviations, i -> (under[i] - mean) - ratio * (longest + excess[i] - untouched));
    double variance = StatUtils.variance(deviations);
    return new Reduction(1 - ratio, Math.sqrt(variance / under.length) / untouched);
  }

  private static double seconds(
      PrintedRow line, Slowness slowness, String scheme, SimulationSettings settings) {
    return new Simulation(
            GivenJobs.one(line.tasks(), 1),
            ClusterShape.of(line.slots(), 1, 1),
            slowness,
            Schemes.create(scheme, settings).orElseThrow(),
            settings.with(Overheads.NONE),
            ended -> {})
        .run()
        .jobs()
        .get(0)
        .seconds();
  }

  private static SimulationSettings early(long seed) {
    try {
      return SimulationSettings.read(seed, Map.of(RestartKeys.MIN_REPORTS.key(), "2"));
    } catch (BadSettingException e) {
      throw new IllegalStateException("two reports are out of range", e);
    }
  }

  /** Returns E[M] for the longest M of n times. */
  static double meanLongest(int n, double beta) {
    return Math.exp(
        Gamma.logGamma(n + 1.0) + Gamma.logGamma(1 - 1 / beta) - Gamma.logGamma(n + 1 - 1 / beta));
  }

  private static List<String> provenance() {
    return List.of(
        "Times: Pareto, as in the appendix, drawn for each attempt independently. Tasks report"
            + " every second, and nothing else takes time.",
        "Restarts: core's, with the shipped settings; attempts: the simulator's engine.");
  }

  private static double greatestError(List<Found> all) {
    return all.stream().mapToDouble(found -> found.reduction().error()).max().orElseThrow();
  }
}
