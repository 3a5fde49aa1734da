// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.Row;
import io.drover.simulator.experiment.KmnStages.Size;
import io.drover.simulator.experiment.KmnStages.World;
import io.drover.simulator.scheme.Kmn.Patience;
import io.drover.simulator.scheme.SampledStage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * KMN's figure 8 (section 4.3): how much longer an upstream stage takes if the next stage waits for
 * all of its M tasks instead of the fastest K. The text prints "20% - 40% (for jobs with &gt; 150
 * tasks)" for 2 %, 5 % and 10 % extra tasks.
 */
final class Kmn8 extends PaperFigure {
  private static final List<World> WORLDS = List.of(World.PUBLISHED, World.MILD);
  private static final double[] RATIOS = {1.02, 1.05, 1.1};
  private static final double LEAST_PRINTED = 0.2;
  private static final double MOST_PRINTED = 0.4;

  private final int jobs;
  private final int machines;

  Kmn8() {
    this(KmnStages.USUAL_JOBS, KmnStages.USUAL_MACHINES);
  }

  Kmn8(int jobs, int machines) {
    super("kmn-8");
    this.jobs = jobs;
    this.machines = machines;
  }

  @Override
  public List<String> steps() {
    return WORLDS.stream().flatMap(world -> Arrays.stream(RATIOS).mapToObj(world::label)).toList();
  }

  @Override
  public ExperimentResult run(ExperimentSettings settings) {
    List<Row> rows = new ArrayList<>();
    for (World world : WORLDS) {
      KmnStages stages = new KmnStages(world, jobs, machines);
      for (int i = 0; i < RATIOS.length; i++) {
        List<SampledStage> all = stages.run(RATIOS[i], Patience.ALL, settings);
        for (Size size : Size.values()) {
          String label = world.label(RATIOS[i]) + ", " + size.label();
          OptionalDouble ours = KmnStages.median(all, size, Kmn8::inflation);
          rows.add(Row.ofShare(label, printed(i, size), ours));
        }
      }
    }
    return new ExperimentResult(
        rows, why(), KmnStages.provenance(WORLDS, jobs, machines, settings.seed()));
  }

  private static double inflation(SampledStage stage) {
    double fastest = stage.secondsUntil(stage.needed());
    return stage.secondsUntil(stage.outputs().size()) / fastest - 1;
  }

  /** Returns the lower end of the range for the fewest extra tasks, the upper end for the most. */
  private static OptionalDouble printed(int ratio, Size size) {
    if (size != Size.LARGE || (ratio > 0 && ratio < RATIOS.length - 1)) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(ratio == 0 ? LEAST_PRINTED : MOST_PRINTED);
  }
}
