// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.Row;
import io.drover.simulator.experiment.KmnStages.Size;
import io.drover.simulator.experiment.KmnStages.World;
import io.drover.simulator.scheme.Kmn.Patience;
import io.drover.simulator.scheme.SampledStage;
import io.drover.simulator.scheme.SampledStage.Output;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * KMN's figure 9 (section 4.3): how much longer the transfer to the next stage takes with the
 * fastest K outputs instead of the best K of all M. The text prints "20% for small jobs (11 to 50
 * tasks) and up to 40% for large jobs (&gt; 150 tasks)".
 */
final class Kmn9 extends PaperFigure {
  private static final double[] RATIOS = {1.05, 1.1};
  private static final double PRINTED_OF_SMALL = 0.2;
  private static final double PRINTED_OF_LARGE = 0.4;

  private final int jobs;
  private final int machines;

  Kmn9() {
    this(KmnStages.USUAL_JOBS, KmnStages.USUAL_MACHINES);
  }

  Kmn9(int jobs, int machines) {
    super("kmn-9");
    this.jobs = jobs;
    this.machines = machines;
  }

  @Override
  public List<String> steps() {
    return Arrays.stream(RATIOS).mapToObj(World.PUBLISHED::label).toList();
  }

  @Override
  public ExperimentResult run(ExperimentSettings settings) {
    List<Row> rows = new ArrayList<>();
    KmnStages stages = new KmnStages(World.PUBLISHED, jobs, machines);
    for (double ratio : RATIOS) {
      List<SampledStage> all = stages.run(ratio, Patience.ALL, settings);
      for (Size size : Size.values()) {
        String label = World.PUBLISHED.label(ratio) + ", " + size.label();
        rows.add(Row.ofShare(label, printed(size), KmnStages.median(all, size, Kmn9::inflation)));
      }
    }
    return new ExperimentResult(
        rows,
        why(),
        KmnStages.provenance(List.of(World.PUBLISHED), jobs, machines, settings.seed()));
  }

  private static double inflation(SampledStage stage) {
    List<Integer> racks = stage.outputs().stream().map(Output::rack).toList();
    double best = stage.transfers().best(racks).seconds();
    double fastest = stage.transfers().seconds(racks.subList(0, stage.needed()));
    return best > 0 ? fastest / best - 1 : 0;
  }

  private static OptionalDouble printed(Size size) {
    return switch (size) {
      case SMALL -> OptionalDouble.of(PRINTED_OF_SMALL);
      case MIDDLE -> OptionalDouble.empty();
      case LARGE -> OptionalDouble.of(PRINTED_OF_LARGE);
    };
  }
}
