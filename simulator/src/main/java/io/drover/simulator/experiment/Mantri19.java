// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.Row;
import io.drover.simulator.experiment.ReducePlacements.Way;
import io.drover.simulator.experiment.ReducePlacements.World;
import io.drover.simulator.result.SchemeOutcome.PhaseOutcome;
import io.drover.simulator.result.WeightedQuantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Mantri's figure 19 (section 6.4): how much shorter reduce phases are if their tasks are placed,
 * with four estimates of the available bandwidths: Mantri's, the two that it combines, and the
 * oracle's. Phases are weighted by their lifetime without placement.
 *
 * <p>The text prints "a median speed up of 60%" for Mantri. It says that Start "is a good choice"
 * for short phases and "Equal works better" for long ones, and that Mantri "achieves a good
 * approximation of IdealReduce". Figure 5 in section 4.2 has another number for an ideal placement:
 * the median phase takes 62 % longer without it, so the reduction is {@code 1 - 1 / 1.62}.
 */
final class Mantri19 extends PaperFigure {
  private static final double PRINTED_MANTRI = 0.6;
  private static final double PRINTED_IDEAL = 1 - 1 / 1.62;

  /** Chosen: about the mean of these phases, seconds. The paper does not say what short means. */
  private static final double SHORT = 20;

  private static final List<Way> WAYS = List.of(Way.MANTRI, Way.START, Way.EQUAL, Way.IDEAL);

  private final ReducePlacements placements;

  Mantri19() {
    this(ReducePlacements.USUAL_JOBS, ReducePlacements.USUAL_MACHINES);
  }

  Mantri19(int jobs, int machines) {
    super("mantri-19");
    placements = new ReducePlacements(jobs, machines);
  }

  @Override
  public List<String> steps() {
    return ReducePlacements.steps(List.of(Way.values()));
  }

  @Override
  public ExperimentResult run(ExperimentSettings settings) {
    List<Row> rows = new ArrayList<>();
    for (World world : World.values()) {
      List<PhaseOutcome> before = placements.run(world, Way.FIRST_SLOT, settings);
      for (Way way : WAYS) {
        List<PhaseOutcome> after = placements.run(world, way, settings);
        String label = way.in(world);
        WeightedQuantiles all = reductions(before, after, phase -> true);
        rows.add(Row.ofShare(label + ", p50", printed(way), all.at(0.5)));
        rows.add(unprinted(label + ", p75", all.at(0.75)));
        if (way == Way.START || way == Way.EQUAL) {
          WeightedQuantiles ofShort = reductions(before, after, Mantri19::isShort);
          rows.add(unprinted(label + ", short phases, p50", ofShort.at(0.5)));
          WeightedQuantiles ofLong = reductions(before, after, phase -> !isShort(phase));
          rows.add(unprinted(label + ", long phases, p50", ofLong.at(0.5)));
        }
      }
    }
    return new ExperimentResult(rows, why(), placements.provenance(settings.seed()));
  }

  private static OptionalDouble printed(Way way) {
    return switch (way) {
      case MANTRI -> OptionalDouble.of(PRINTED_MANTRI);
      case IDEAL -> OptionalDouble.of(PRINTED_IDEAL);
      default -> OptionalDouble.empty();
    };
  }

  private static Row unprinted(String label, OptionalDouble ours) {
    return Row.ofShare(label, OptionalDouble.empty(), ours);
  }

  private static boolean isShort(PhaseOutcome phase) {
    return phase.seconds() <= SHORT;
  }

  /** Returns how much shorter some phases are, weighted by their lifetimes before. */
  private static WeightedQuantiles reductions(
      List<PhaseOutcome> before, List<PhaseOutcome> after, Predicate<PhaseOutcome> which) {
    int[] some = IntStream.range(0, before.size()).filter(i -> which.test(before.get(i))).toArray();
    double[] lifetimes = IntStream.of(some).mapToDouble(i -> before.get(i).seconds()).toArray();
    double[] reductions =
        IntStream.of(some)
            .mapToDouble(i -> 1 - after.get(i).seconds() / before.get(i).seconds())
            .toArray();
    return WeightedQuantiles.of(reductions, lifetimes);
  }
}
