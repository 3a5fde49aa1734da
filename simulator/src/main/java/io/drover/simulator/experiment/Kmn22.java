// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.Row;
import io.drover.simulator.experiment.KmnStages.World;
import io.drover.simulator.scheme.Kmn.Patience;
import io.drover.simulator.scheme.SampledStage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * KMN's figure 22 (section 6): how long, and for how many extra outputs, jobs wait under the delay
 * heuristic, with 10 % extra tasks. The text prints two points of the curves: "the delay is less
 * than 25% for 62% of the jobs", relative to when the first K tasks had finished, and "around 80%
 * of the jobs wait for 5% or more map tasks".
 */
final class Kmn22 extends PaperFigure {
  private static final double RATIO = 1.1;
  private static final double SHORT_WAIT = 0.25;
  private static final double PRINTED_SHORT = 0.62;
  private static final double MANY_TASKS = 0.05;
  private static final double PRINTED_MANY = 0.8;

  private final int jobs;
  private final int machines;

  Kmn22() {
    this(KmnStages.USUAL_JOBS, KmnStages.USUAL_MACHINES);
  }

  Kmn22(int jobs, int machines) {
    super("kmn-22");
    this.jobs = jobs;
    this.machines = machines;
  }

  @Override
  public List<String> steps() {
    return Arrays.stream(World.values()).map(world -> world.label(RATIO)).toList();
  }

  @Override
  public ExperimentResult run(ExperimentSettings settings) {
    List<Row> rows = new ArrayList<>();
    List<World> worlds = List.of(World.values());
    for (World world : worlds) {
      KmnStages stages = new KmnStages(world, jobs, machines);
      rows.addAll(rows(world, stages.run(RATIO, Patience.RULE, settings)));
    }
    return new ExperimentResult(
        rows, why(), KmnStages.provenance(worlds, jobs, machines, settings.seed()));
  }

  private static List<Row> rows(World world, List<SampledStage> all) {
    return List.of(
        Row.ofShare(
            world.label() + ": jobs that wait for less than 25 %",
            OptionalDouble.of(PRINTED_SHORT),
            share(all, stage -> wait(stage) < SHORT_WAIT)),
        Row.ofShare(
            world.label() + ": jobs that wait for 5 % more tasks",
            OptionalDouble.of(PRINTED_MANY),
            share(all, stage -> extra(stage) >= MANY_TASKS)),
        Row.ofShare(
            world.label() + ": jobs that do not wait",
            OptionalDouble.empty(),
            share(all, stage -> extra(stage) == 0)));
  }

  private static OptionalDouble share(List<SampledStage> all, Predicate<SampledStage> which) {
    return all.stream().mapToDouble(stage -> which.test(stage) ? 1 : 0).average();
  }

  /** Returns the wait as a share of the time until the first K outputs were finished. */
  private static double wait(SampledStage stage) {
    double first = stage.secondsUntil(stage.needed());
    return (stage.chosenAt() - stage.begunAt()) / first - 1;
  }

  /** Returns the outputs beyond K that were finished, as a share of K. */
  private static double extra(SampledStage stage) {
    return (double) stage.outputs().size() / stage.needed() - 1;
  }
}
