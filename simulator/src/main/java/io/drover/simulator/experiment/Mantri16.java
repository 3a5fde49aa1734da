// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import static java.util.Map.entry;

import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.FigureUnit;
import io.drover.simulator.experiment.ExperimentResult.Row;
import io.drover.simulator.result.Comparison;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.scheme.Schemes;
import io.drover.simulator.workload.SyntheticSettings;
import io.drover.simulator.workload.SyntheticWorkload;
import io.drover.simulator.workload.Workload;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.PublishedSlowness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Mantri's figure 16 (section 6.3): how much shorter phases are with each way to treat stragglers,
 * and what it costs.
 *
 * <p>The text prints that Mantri makes phases 21.1 % shorter at the median and 42 % at the 75th
 * percentile, with 3 % and 7 % less resources. Hadoop makes them 6.9 % shorter at the median, with
 * 15.9 % more resources. Mantri and Dryad schedule 0.2 restarts per task of the average phase, LATE
 * 0.06 and Hadoop 0.56. Of Mantri's restarts 70 % succeed, of LATE's 15 %. The curves of the figure
 * are not read off, so a figure that the text does not print has no number here.
 *
 * <p>The paper's Hadoop is that of 2010, so its figures are compared with {@code hadoop-2010}.
 * Hadoop 3.5, {@code hadoop}, and {@code drover} have no printed figures.
 */
final class Mantri16 extends PaperFigure {
  private static final int USUAL_JOBS = 2000;
  private static final int USUAL_MACHINES = 600;
  private static final int SLOTS = 8;

  private static final List<String> SCHEMES =
      List.of("hadoop-2010", "hadoop", "late", "dryad", "mapreduce", "mantri", "drover");

  private static final String TIME_P50 = ": phases shorter, p50";
  private static final String TIME_P75 = ": phases shorter, p75";
  private static final String SLOTS_P50 = ": slot time less, p50";
  private static final String SLOTS_P75 = ": slot time less, p75";
  private static final String RESTARTS = ": restarts of the average phase";
  private static final String SUCCESS = ": restarts that helped";

  /** Everything that section 6.3 prints, by label; reductions and shares are fractions. */
  private static final Map<String, Double> PRINTED =
      Map.ofEntries(
          entry("hadoop-2010" + TIME_P50, 0.069),
          entry("hadoop-2010" + SLOTS_P50, -0.159),
          entry("hadoop-2010" + RESTARTS, 0.56),
          entry("late" + RESTARTS, 0.06),
          entry("late" + SUCCESS, 0.15),
          entry("dryad" + RESTARTS, 0.2),
          entry("mantri" + TIME_P50, 0.211),
          entry("mantri" + TIME_P75, 0.42),
          entry("mantri" + SLOTS_P50, 0.03),
          entry("mantri" + SLOTS_P75, 0.07),
          entry("mantri" + RESTARTS, 0.2),
          entry("mantri" + SUCCESS, 0.7));

  private final int jobs;
  private final int machines;

  /** Creates the experiment in the default size of {@code drover simulate}. */
  Mantri16() {
    this(USUAL_JOBS, USUAL_MACHINES);
  }

  Mantri16(int jobs, int machines) {
    super("mantri-16");
    this.jobs = jobs;
    this.machines = machines;
  }

  @Override
  public List<String> steps() {
    return Stream.concat(Stream.of(Schemes.BASELINE), SCHEMES.stream()).toList();
  }

  @Override
  public ExperimentResult run(ExperimentSettings settings) {
    Workload workload =
        new SyntheticWorkload(
            SyntheticSettings.of(machines, SLOTS).withJobs(jobs).withSeed(settings.seed()));
    ExperimentSetup setup =
        new ExperimentSetup(
            workload,
            ClusterShape.of(machines, SLOTS),
            new PublishedSlowness(settings.seed(), phase -> true));
    SchemeOutcome baseline = simulate(Schemes.BASELINE, setup, settings);
    List<Row> rows = new ArrayList<>();
    for (String scheme : SCHEMES) {
      SchemeOutcome outcome = simulate(scheme, setup, settings);
      rows.addAll(rows(Comparison.of(baseline, outcome), outcome));
    }
    return new ExperimentResult(rows, why(), setup.provenance());
  }

  private static SchemeOutcome simulate(
      String scheme, ExperimentSetup setup, ExperimentSettings settings) {
    SimulationSettings usual = SimulationSettings.defaults(settings.seed());
    return setup.run(
        scheme, Schemes.create(scheme, usual).orElseThrow(), usual, settings.progress());
  }

  private static List<Row> rows(Comparison of, SchemeOutcome outcome) {
    String scheme = outcome.scheme();
    String restarts = scheme + RESTARTS;
    return List.of(
        share(scheme + TIME_P50, of.phaseTime().at(0.5)),
        share(scheme + TIME_P75, of.phaseTime().at(0.75)),
        share(scheme + SLOTS_P50, of.phaseSlots().at(0.5)),
        share(scheme + SLOTS_P75, of.phaseSlots().at(0.75)),
        new Row(
            restarts, printed(restarts), restartsOfTheAveragePhase(outcome), FigureUnit.PER_TASK),
        share(scheme + SUCCESS, of.restartSuccess()));
  }

  private static Row share(String label, OptionalDouble ours) {
    return Row.ofShare(label, printed(label), ours);
  }

  private static OptionalDouble printed(String label) {
    Double figure = PRINTED.get(label);
    return figure == null ? OptionalDouble.empty() : OptionalDouble.of(figure);
  }

  /** "Restarts per task for the average phase": all phases have the same weight. */
  private static OptionalDouble restartsOfTheAveragePhase(SchemeOutcome outcome) {
    return outcome.phases().stream()
        .mapToDouble(phase -> (phase.copies() + phase.restarts()) / (double) phase.tasks())
        .average();
  }
}
