// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.progress.Terminal;
import io.drover.cli.text.Spread;
import io.drover.simulator.experiment.Experiment;
import io.drover.simulator.experiment.ExperimentProgress;
import io.drover.simulator.experiment.ExperimentResult;
import io.drover.simulator.experiment.ExperimentResult.Row;
import io.drover.simulator.experiment.ExperimentSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;

/**
 * An experiment and what came of it.
 *
 * @param experiment that was run
 * @param seed of the first repeat
 * @param results of each repeat, whose rows are of the same figures
 */
record ExperimentRun(Experiment experiment, long seed, List<ExperimentResult> results) {
  /** Runs an experiment with as many seeds as wished, one after the other. */
  static ExperimentRun of(
      Experiment experiment, long seed, int repeat, Terminal terminal, LongSupplier nanos) {
    List<String> plan =
        Collections.nCopies(repeat, experiment.steps()).stream().flatMap(List::stream).toList();
    SimulateTime time = new SimulateTime(plan, nanos);
    List<ExperimentResult> results = new ArrayList<>();
    try (SimulateProgress progress = new SimulateProgress(time, terminal)) {
      for (int i = 0; i < repeat; i++) {
        long own = seed + i;
        Shown shown = new Shown(progress, repeat == 1 ? "" : ", seed " + own);
        results.add(experiment.run(new ExperimentSettings(own, shown)));
      }
    }
    return new ExperimentRun(experiment, seed, results);
  }

  /** Shows how far the present repeat is. */
  private record Shown(SimulateProgress progress, String suffix) implements ExperimentProgress {
    @Override
    public void begin(int parts) {
      progress.begin(parts);
    }

    @Override
    public void ended(int parts) {
      progress.ended(parts);
    }

    @Override
    public void end(String step) {
      progress.end(step + suffix);
    }
  }

  /**
   * A row of all repeats.
   *
   * @param row the first repeat's
   * @param ours of all repeats; empty where none measured anything
   */
  record Line(Row row, Optional<Spread> ours) {
    /** The median of ours less the paper's; empty where one of them is. */
    OptionalDouble difference() {
      return row.paper().isPresent() && ours.isPresent()
          ? OptionalDouble.of(ours.get().median() - row.paper().getAsDouble())
          : OptionalDouble.empty();
    }
  }

  boolean isRepeated() {
    return results.size() > 1;
  }

  List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < results.get(0).rows().size(); i++) {
      int at = i;
      List<Double> ours =
          results.stream()
              .map(result -> result.rows().get(at).ours())
              .filter(OptionalDouble::isPresent)
              .map(OptionalDouble::getAsDouble)
              .toList();
      lines.add(new Line(results.get(0).rows().get(at), Spread.of(ours)));
    }
    return lines;
  }

  /** Why the figures differ, as the first repeat says it. */
  List<String> why() {
    return results.get(0).why();
  }

  /** What is real and what modelled, as the first repeat says it. */
  List<String> provenance() {
    return results.get(0).provenance();
  }
}
