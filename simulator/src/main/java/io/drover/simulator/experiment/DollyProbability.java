// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.core.clone.CloneCount;
import io.drover.core.clone.CloneSettings;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.Simulation;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.FigureUnit;
import io.drover.simulator.experiment.ExperimentResult.Row;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.result.SchemeOutcome.JobOutcome;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.SyntheticSettings;
import io.drover.simulator.workload.SyntheticWorkload;
import io.drover.simulator.world.Chance;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Draws;
import io.drover.simulator.world.Overheads;
import io.drover.simulator.world.Slowness;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Dolly section 3.1 and figure 5: the probability that a job of n tasks meets an outlier if there
 * are c clones and each attempt is an outlier with probability p,
 *
 * <pre>
 *   task-level   1 - (1 - p^c)^n
 *   job-level    (1 - (1 - p)^n)^c
 * </pre>
 *
 * <p>compared with jobs in the simulator. It also compares the number of clones that {@link
 * CloneCount} starts for the 5 % of section 3.1 with the smallest number that the formulas allow.
 * The last figure is the share of jobs for which three copies of each task are enough: 96 % of
 * Facebook's jobs in the same section.
 *
 * <p>Job-level clones are copies of the whole job that are submitted together. The copy that ends
 * first counts.
 */
final class DollyProbability extends PaperFigure {
  private static final int USUAL_JOBS = 20_000;

  /** A small job, by Dolly's own limit, and a larger one. */
  private static final int[] TASKS = {10, 50};

  private static final int MOST_COPIES = 3;

  /** Section 3.1: "for 96% of jobs in the cluster, ... with just three replicas". */
  private static final double PRINTED_SHARE = 0.96;

  private static final int PRINTED_COPIES = 3;

  private static final long BYTES = 10;

  /** How many times longer an outlier takes. Any value that differs clearly from 1 will do. */
  private static final double SLOW = 10;

  /** Longer than a job with outliers takes, so that the next job finds the cluster idle. */
  private static final double GAP = 2 * SLOW * BYTES;

  /** A factor for the number of slots that keeps clones below the ceiling of utilisation. */
  private static final int ROOM = 4;

  private final int jobs;

  DollyProbability() {
    this(USUAL_JOBS);
  }

  DollyProbability(int jobs) {
    super("dolly-probability");
    this.jobs = jobs;
  }

  /** One point of the figure. */
  private record Point(boolean taskLevel, int tasks, int copies) {
    double formula(double p) {
      return taskLevel
          ? 1 - Math.pow(1 - Math.pow(p, copies), tasks)
          : Math.pow(1 - Math.pow(1 - p, tasks), copies);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%d tasks, %d %s", tasks, copies, taskLevel ? "of each" : "of the job");
    }
  }

  /** Starts {@code copies} attempts of each task. */
  private record ClonesOfEachTask(int copies) implements Scheme {
    @Override
    public String name() {
      return copies + " of each task";
    }

    @Override
    public int copiesFromTheStart(PhaseRun phase) {
      return copies;
    }
  }

  /** Makes each attempt an outlier with probability p, independently of everything else. */
  private record Outliers(double p, long seed) implements Slowness {
    @Override
    public double of(long phase, int task, int attempt, int machine) {
      return Chance.uniform(Draws.key(seed, phase, task, attempt)) < p ? SLOW : 1;
    }

    @Override
    public List<String> provenance() {
      return List.of(
          "Slowness: each attempt is an outlier with probability p, independently of the others.");
    }
  }

  @Override
  public List<String> steps() {
    return points().stream().map(Point::toString).toList();
  }

  private static List<Point> points() {
    List<Point> points = new ArrayList<>();
    for (int tasks : TASKS) {
      for (int copies = 1; copies <= MOST_COPIES; copies++) {
        points.add(new Point(true, tasks, copies));
      }
      for (int copies = 2; copies <= MOST_COPIES; copies++) {
        points.add(new Point(false, tasks, copies));
      }
    }
    return points;
  }

  @Override
  public ExperimentResult run(ExperimentSettings settings) {
    CloneSettings clones = SimulationSettings.defaults(settings.seed()).job().clones();
    double p = clones.outlierProbability();
    List<Row> rows = new ArrayList<>();
    for (Point point : points()) {
      double met = met(point, p, settings);
      rows.add(Row.ofShare("an outlier met: " + point, point.formula(p), met));
      settings.progress().end(point.toString());
    }
    for (int tasks : TASKS) {
      rows.add(count(true, tasks, p, clones.eps()));
      rows.add(count(false, tasks, p, clones.eps()));
    }
    rows.add(enough(p, clones.eps(), settings.seed()));
    return new ExperimentResult(
        rows,
        why(
            Map.of(
                "jobs", String.format(Locale.ROOT, "%,d", jobs),
                "error", String.format(Locale.ROOT, "%.2f", 100 * Math.sqrt(0.25 / jobs)))),
        provenance(p));
  }

  /** Returns the share of the jobs that met an outlier. */
  private double met(Point point, double p, ExperimentSettings settings) {
    int together = point.taskLevel() ? 1 : point.copies();
    int clones = point.taskLevel() ? point.copies() : 1;
    GivenJobs workload = new GivenJobs(jobs * together, point.tasks(), BYTES, together, GAP);
    settings.progress().begin(workload.size());
    SchemeOutcome outcome =
        new Simulation(
                workload,
                ClusterShape.of(ROOM * point.tasks() * point.copies(), 1, 1),
                new Outliers(p, settings.seed()),
                new ClonesOfEachTask(clones),
                SimulationSettings.defaults(settings.seed()).with(Overheads.NONE),
                settings.progress()::ended)
            .run();
    int met = 0;
    Iterator<JobOutcome> next = outcome.jobs().iterator();
    for (int job = 0; job < jobs; job++) {
      boolean all = true;
      for (int i = 0; i < together; i++) {
        all &= next.next().seconds() > BYTES * (1 + SLOW) / 2;
      }
      met += all ? 1 : 0;
    }
    return (double) met / jobs;
  }

  private static Row count(boolean taskLevel, int tasks, double p, double eps) {
    int enough = 1;
    while (new Point(taskLevel, tasks, enough).formula(p) > eps) {
      enough++;
    }
    CloneCount count = new CloneCount(eps, Integer.MAX_VALUE);
    int ours = taskLevel ? count.ofEachTask(tasks, tasks, p) : count.ofWholeJob(tasks, p);
    String label = "copies for " + tasks + " tasks, " + (taskLevel ? "of each" : "of the job");
    return new Row(label, OptionalDouble.of(enough), OptionalDouble.of(ours), FigureUnit.COPIES);
  }

  /** Compares the share of synthetic jobs for which core starts at most three copies with 96 %. */
  private Row enough(double p, double eps, long seed) {
    CloneCount count = new CloneCount(eps, Integer.MAX_VALUE);
    SyntheticSettings of = SyntheticSettings.of(1, 1).withJobs(jobs).withSeed(seed);
    Iterator<JobSpec> all = new SyntheticWorkload(of).jobs();
    int enough = 0;
    while (all.hasNext()) {
      int tasks = all.next().tasks();
      enough += count.ofEachTask(tasks, tasks, p) <= PRINTED_COPIES ? 1 : 0;
    }
    return Row.ofShare(
        "jobs for which 3 of each task are enough", PRINTED_SHARE, (double) enough / jobs);
  }

  private static List<String> provenance(double p) {
    return List.of(
        String.format(
            Locale.ROOT,
            "p = %.2f, Drover's default, because the paper prints no value. An attempt is an"
                + " outlier with this probability on any machine.",
            p),
        "Jobs: made up, all tasks equal, on an idle cluster. The share of jobs for which three"
            + " copies are enough is measured on the synthetic workload.",
        "Counts: core's CloneCount; attempts: the simulator's engine.");
  }
}
