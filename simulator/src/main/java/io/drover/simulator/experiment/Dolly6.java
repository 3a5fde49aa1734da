// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import static io.drover.simulator.experiment.CloningRuns.Way.CLAIRVOYANT;
import static io.drover.simulator.experiment.CloningRuns.Way.DOLLY;
import static io.drover.simulator.experiment.CloningRuns.Way.DOLLY_ALL;
import static io.drover.simulator.experiment.CloningRuns.Way.DOLLY_JOB;
import static io.drover.simulator.experiment.CloningRuns.Way.DOLLY_JOB_ALL;
import static io.drover.simulator.experiment.CloningRuns.Way.DROVER;
import static io.drover.simulator.experiment.CloningRuns.Way.IDEAL;
import static io.drover.simulator.experiment.CloningRuns.Way.LATE;
import static io.drover.simulator.experiment.CloningRuns.Way.MANTRI;
import static java.util.Map.entry;

import io.drover.simulator.experiment.CloningRuns.Way;
import io.drover.simulator.experiment.CloningRuns.World;
import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.FigureUnit;
import io.drover.simulator.experiment.ExperimentResult.Row;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Dolly's figure 6 (section 3.3): how much faster jobs are with clones of tasks and with copies of
 * whole jobs than under LATE (6a) and Mantri (6b), by the sizes of jobs; and what clones of only
 * the small jobs gain and cost.
 *
 * <p>The text prints these reductions of mean completion times:
 *
 * <ul>
 *   <li>all jobs cloned: 44 % (tasks) and 31 % (whole jobs) relative to LATE, 35 % and 26 %
 *       relative to Mantri; the cost is 2.2 times the utilisation (section 1), and for whole jobs
 *       5.8 times the resources of clones of tasks;
 *   <li>the tasks of small jobs cloned: 40 % (LATE) and 33 % (Mantri), for small jobs 47 % and 39
 *       %; the cost is 3.3 points of utilisation, from 21 to 24.3 %;
 *   <li>whole small jobs copied: 35 % for small jobs, "~70% of" the 49 % that they would gain
 *       without outliers (section 2.3; all jobs would gain 46 %).
 * </ul>
 *
 * <p>The bars of the figure are not read off, so a figure that the text does not print has no
 * number here. {@code drover} is not in the paper. It is compared with Dolly's figures because it
 * should do the same for small jobs.
 */
final class Dolly6 extends PaperFigure {
  private static final int USUAL_JOBS = 2000;
  private static final int USUAL_MACHINES = 600;

  private static final List<Way> BASELINES = List.of(LATE, MANTRI);
  private static final List<Way> SMALL_CLONED = List.of(DOLLY, DROVER, DOLLY_JOB);
  private static final List<Way> ALL_CLONED = List.of(DOLLY_ALL, DOLLY_JOB_ALL);
  private static final List<Way> BOUNDS = List.of(IDEAL, CLAIRVOYANT);

  private static final String UTILISATION = ": utilisation";
  private static final String TIMES_LATE = ": utilisation over late's";
  private static final String RESOURCES = ": slot time beyond late's, over that of tasks";
  private static final String OF_IDEAL = ": share of what no outliers would gain";

  /** Everything that the text prints, by label, in the units of the rows. */
  private static final Map<String, Double> PRINTED =
      Map.ofEntries(
          entry(faster(DOLLY, JobSizes.SMALL, LATE), 47.0),
          entry(faster(DOLLY, JobSizes.ALL, LATE), 40.0),
          entry(points(DOLLY, LATE), 3.3),
          entry(faster(DOLLY, JobSizes.SMALL, MANTRI), 39.0),
          entry(faster(DOLLY, JobSizes.ALL, MANTRI), 33.0),
          entry(points(DOLLY, MANTRI), 3.3),
          entry(faster(DROVER, JobSizes.SMALL, LATE), 47.0),
          entry(faster(DROVER, JobSizes.ALL, LATE), 40.0),
          entry(points(DROVER, LATE), 3.3),
          entry(faster(DROVER, JobSizes.SMALL, MANTRI), 39.0),
          entry(faster(DROVER, JobSizes.ALL, MANTRI), 33.0),
          entry(points(DROVER, MANTRI), 3.3),
          entry(faster(DOLLY_JOB, JobSizes.SMALL, LATE), 35.0),
          entry(faster(IDEAL, JobSizes.SMALL, LATE), 49.0),
          entry(faster(IDEAL, JobSizes.ALL, LATE), 46.0),
          entry(DOLLY_JOB.label() + OF_IDEAL, 70.0),
          entry(faster(DOLLY_ALL, JobSizes.ALL, LATE), 44.0),
          entry(faster(DOLLY_JOB_ALL, JobSizes.ALL, LATE), 31.0),
          entry(faster(DOLLY_ALL, JobSizes.ALL, MANTRI), 35.0),
          entry(faster(DOLLY_JOB_ALL, JobSizes.ALL, MANTRI), 26.0),
          entry(LATE.label() + UTILISATION, 21.0),
          entry(DOLLY_ALL.label() + TIMES_LATE, 2.2),
          entry(DOLLY_JOB_ALL.label() + RESOURCES, 5.8));

  private final int jobs;
  private final int machines;

  /** Creates the experiment in the default size of {@code drover simulate}. */
  Dolly6() {
    this(USUAL_JOBS, USUAL_MACHINES);
  }

  Dolly6(int jobs, int machines) {
    super("dolly-6");
    this.jobs = jobs;
    this.machines = machines;
  }

  @Override
  public List<String> steps() {
    return Stream.of(World.values())
        .flatMap(world -> world.ways().stream().map(way -> CloningRuns.step(world, way)))
        .toList();
  }

  @Override
  public ExperimentResult run(ExperimentSettings settings) {
    List<Row> rows = new ArrayList<>();
    Set<String> provenance = new LinkedHashSet<>();
    for (World world : World.values()) {
      CloningRuns runs = new CloningRuns(world, jobs, machines, settings);
      rows.addAll(rows(runs));
      provenance.addAll(runs.provenance());
    }
    return new ExperimentResult(rows, why(), List.copyOf(provenance));
  }

  private static List<Row> rows(CloningRuns runs) {
    List<Row> rows = new ArrayList<>();
    for (Way baseline : BASELINES) {
      for (Way way : SMALL_CLONED) {
        rows.add(fasterRow(runs, way, JobSizes.SMALL, baseline));
        rows.add(fasterRow(runs, way, JobSizes.ALL, baseline));
        double points = 100 * (runs.utilisation(way) - runs.utilisation(baseline));
        rows.add(row(runs, points(way, baseline), OptionalDouble.of(points), FigureUnit.POINTS));
      }
    }
    for (Way way : tried(runs, BOUNDS)) {
      rows.add(fasterRow(runs, way, JobSizes.SMALL, LATE));
      rows.add(fasterRow(runs, way, JobSizes.ALL, LATE));
    }
    for (Way way : SMALL_CLONED) {
      rows.add(percent(runs, way.label() + OF_IDEAL, runs.shareOfIdeal(way)));
    }
    for (Way baseline : BASELINES) {
      for (Way way : tried(runs, ALL_CLONED)) {
        Stream.of(JobSizes.values())
            .map(sizes -> fasterRow(runs, way, sizes, baseline))
            .forEach(rows::add);
      }
    }
    rows.addAll(cost(runs));
    return rows;
  }

  private static List<Way> tried(CloningRuns runs, List<Way> ways) {
    return ways.stream().filter(runs.world().ways()::contains).toList();
  }

  private static List<Row> cost(CloningRuns runs) {
    OptionalDouble ofLate = OptionalDouble.of(runs.utilisation(LATE));
    List<Row> rows = new ArrayList<>(List.of(percent(runs, LATE.label() + UTILISATION, ofLate)));
    rows.add(resources(runs, DOLLY_JOB, DOLLY));
    for (Way way : tried(runs, ALL_CLONED)) {
      OptionalDouble ratio = OptionalDouble.of(runs.utilisation(way) / runs.utilisation(LATE));
      rows.add(row(runs, way.label() + TIMES_LATE, ratio, FigureUnit.TIMES));
    }
    if (runs.world().ways().contains(DOLLY_JOB_ALL)) {
      rows.add(resources(runs, DOLLY_JOB_ALL, DOLLY_ALL));
    }
    return rows;
  }

  private static Row resources(CloningRuns runs, Way ofJobs, Way ofTasks) {
    return row(
        runs, ofJobs.label() + RESOURCES, runs.moreSlotTime(ofJobs, ofTasks), FigureUnit.TIMES);
  }

  private static String faster(Way way, JobSizes sizes, Way baseline) {
    return way.label() + ": " + sizes.label() + " faster than under " + baseline.label();
  }

  private static String points(Way way, Way baseline) {
    return way.label() + ": utilisation beyond " + baseline.label() + "'s";
  }

  private static Row fasterRow(CloningRuns runs, Way way, JobSizes sizes, Way baseline) {
    return percent(runs, faster(way, sizes, baseline), runs.faster(way, sizes, baseline));
  }

  private static Row percent(CloningRuns runs, String label, OptionalDouble share) {
    OptionalDouble ours = share.isPresent() ? OptionalDouble.of(100 * share.getAsDouble()) : share;
    return row(runs, label, ours, FigureUnit.PERCENT);
  }

  private static Row row(CloningRuns runs, String label, OptionalDouble ours, FigureUnit unit) {
    Double figure = PRINTED.get(label);
    OptionalDouble paper = figure == null ? OptionalDouble.empty() : OptionalDouble.of(figure);
    return new Row(runs.world().label() + ", " + label, paper, ours, unit);
  }
}
