// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.FigureUnit;
import io.drover.simulator.experiment.ExperimentResult.Row;
import io.drover.simulator.experiment.ReducePlacements.Way;
import io.drover.simulator.experiment.ReducePlacements.World;
import io.drover.simulator.result.SchemeOutcome.PhaseOutcome;
import io.drover.simulator.result.WeightedQuantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Mantri's figure 20 (section 6.4): how many times more bytes per second the median reduce of a
 * phase fetches than the slowest one.
 *
 * <p>The text prints that with Mantri's placement "in the median reduce phase, the slowest
 * throughput experienced by a task is about 5% lower than the median", so the ratio is {@code 1 /
 * 0.95}, and that it "never exceeds 2". At the first available slot it is 5.25 and 14.33 at the
 * 50th and 75th percentile. All phases have the same weight. Phases of one reduce are left out
 * because their ratio is always 1.
 */
final class Mantri20 extends PaperFigure {
  private static final double PRINTED_PLACED = 1 / 0.95;
  private static final double PRINTED_MOST = 2;
  private static final double PRINTED_FIRST_SLOT = 5.25;
  private static final double PRINTED_FIRST_SLOT_P75 = 14.33;

  private static final List<Way> WAYS = List.of(Way.FIRST_SLOT, Way.MANTRI);

  private final ReducePlacements placements;

  Mantri20() {
    this(ReducePlacements.USUAL_JOBS, ReducePlacements.USUAL_MACHINES);
  }

  Mantri20(int jobs, int machines) {
    super("mantri-20");
    placements = new ReducePlacements(jobs, machines);
  }

  @Override
  public List<String> steps() {
    return ReducePlacements.steps(WAYS);
  }

  @Override
  public ExperimentResult run(ExperimentSettings settings) {
    List<Row> rows = new ArrayList<>();
    for (World world : World.values()) {
      WeightedQuantiles first = spreads(placements.run(world, Way.FIRST_SLOT, settings));
      WeightedQuantiles placed = spreads(placements.run(world, Way.MANTRI, settings));
      String unplaced = Way.FIRST_SLOT.in(world);
      rows.add(row(unplaced + ", p50", PRINTED_FIRST_SLOT, first.at(0.5)));
      rows.add(row(unplaced + ", p75", PRINTED_FIRST_SLOT_P75, first.at(0.75)));
      rows.add(row(Way.MANTRI.in(world) + ", p50", PRINTED_PLACED, placed.at(0.5)));
      rows.add(row(Way.MANTRI.in(world) + ", most", PRINTED_MOST, placed.at(1)));
    }
    return new ExperimentResult(rows, why(), placements.provenance(settings.seed()));
  }

  private static Row row(String label, double printed, OptionalDouble ours) {
    return new Row(label, OptionalDouble.of(printed), ours, FigureUnit.TIMES);
  }

  private static WeightedQuantiles spreads(List<PhaseOutcome> phases) {
    double[] spreads =
        phases.stream().flatMapToDouble(phase -> phase.throughputSpread().stream()).toArray();
    double[] alike = new double[spreads.length];
    Arrays.fill(alike, 1);
    return WeightedQuantiles.of(spreads, alike);
  }
}
