// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.core.protect.ProtectSettings;
import io.drover.simulator.engine.SimulationSettings;
import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.Row;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.result.SchemeOutcome.JobOutcome;
import io.drover.simulator.result.SchemeOutcome.Rework;
import io.drover.simulator.result.WeightedQuantiles;
import io.drover.simulator.scheme.Drover;
import io.drover.simulator.scheme.ProtectOnly;
import io.drover.simulator.scheme.Schemes.IdealRecompute;
import io.drover.simulator.scheme.Schemes.NoSpeculation;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.workload.SyntheticSettings;
import io.drover.simulator.workload.SyntheticWorkload;
import io.drover.simulator.workload.Workload;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Losses.LossSettings;
import io.drover.simulator.world.PublishedSlowness;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Mantri's figures 21 to 23 (section 6.5): what the protection of outputs gains, compared with the
 * ideal that misses none, how many recomputations it saves, and what it costs. These runs do
 * nothing else about outliers, so that only losses make a difference.
 *
 * <p>Not in the paper: two runs of all that Drover does, one of which loses nothing. A task that
 * runs again may be an outlier itself, and protection alone does nothing about that, while its
 * readers wait.
 *
 * <p>The text prints that jobs are 20 % and 40 % faster at the 50th and 75th percentile, at parity
 * with the ideal. Of the median job's recomputations 78 % are gone, about two thirds of them by
 * replication. Of the replicas 84 % are used. Of the pre-computations 76 % are needed if one
 * recomputation makes a machine suspect, and 93 % if two do. Section 1 has "only 1% increase in
 * network traffic".
 */
final class Mantri21 extends PaperFigure {
  private static final int USUAL_JOBS = 2000;
  private static final int USUAL_MACHINES = 600;
  private static final int SLOTS = 8;

  private static final String NONE = "none";
  private static final String IDEAL = "ideal-recompute";
  private static final String TWO = "protect-only";
  private static final String ONE = "protect-only after one";
  private static final String ALL = "drover";
  private static final String SAFE = "drover without losses";

  private final int jobs;
  private final int machines;

  /** Creates the experiment in the default size of {@code drover simulate}. */
  Mantri21() {
    this(USUAL_JOBS, USUAL_MACHINES);
  }

  Mantri21(int jobs, int machines) {
    super("mantri-21");
    this.jobs = jobs;
    this.machines = machines;
  }

  @Override
  public List<String> steps() {
    return List.of(NONE, IDEAL, TWO, ONE, ALL, SAFE);
  }

  @Override
  public ExperimentResult run(ExperimentSettings settings) {
    SyntheticSettings synthetic =
        SyntheticSettings.of(machines, SLOTS).withJobs(jobs).withSeed(settings.seed());
    ExperimentSetup safe =
        new ExperimentSetup(
            new SyntheticWorkload(synthetic),
            ClusterShape.of(machines, SLOTS),
            new PublishedSlowness(settings.seed()));
    ExperimentSetup world = safe.with(LossSettings.PUBLISHED.with(settings.seed()));
    ProtectSettings after2 = ProtectSettings.DEFAULT;
    ProtectSettings after1 = after2.suspectAfter(1);
    SimulationSettings usual = SimulationSettings.defaults(settings.seed());
    SchemeOutcome none = world.run(NONE, new NoSpeculation(), usual, settings.progress());
    SchemeOutcome ideal = world.run(IDEAL, new IdealRecompute(), usual, settings.progress());
    SchemeOutcome two = world.run(TWO, new ProtectOnly(after2), usual, settings.progress());
    SchemeOutcome one = world.run(ONE, new ProtectOnly(after1), usual, settings.progress());
    SchemeOutcome all = world.run(ALL, drover(usual), usual, settings.progress());
    SchemeOutcome allSafe = safe.run(SAFE, drover(usual), usual, settings.progress());
    List<Row> rows = new ArrayList<>();
    rows.addAll(faster(TWO, none, two));
    rows.addAll(faster(IDEAL, none, ideal));
    rows.addAll(longer(TWO + " beyond " + IDEAL, none, two, ideal));
    rows.addAll(longer(ALL + " beyond " + SAFE, none, all, allSafe));
    rows.addAll(saved(none, two));
    rows.addAll(cost(world.workload(), none, two, one));
    return new ExperimentResult(rows, why(), world.provenance());
  }

  private static Drover drover(SimulationSettings settings) {
    return new Drover(settings.job(), settings.sampling());
  }

  /** Returns figure 21: jobs that had to wait for recomputations, weighted by their slot time. */
  private static List<Row> faster(String scheme, SchemeOutcome none, SchemeOutcome other) {
    WeightedQuantiles reductions =
        ofHit(none, i -> 1 - other.jobs().get(i).seconds() / none.jobs().get(i).seconds(), true);
    return List.of(
        Row.ofShare(scheme + ": jobs faster, p50", OptionalDouble.of(0.2), reductions.at(0.5)),
        Row.ofShare(scheme + ": jobs faster, p75", OptionalDouble.of(0.4), reductions.at(0.75)));
  }

  /**
   * Returns how much more time jobs take than without losses: those that had to wait for
   * recomputations, and all. The text has "parity" for its jobs.
   */
  private static List<Row> longer(
      String what, SchemeOutcome none, SchemeOutcome with, SchemeOutcome without) {
    int[] all = IntStream.range(0, none.jobs().size()).toArray();
    return List.of(
        Row.ofShare(what + ", hit jobs", OptionalDouble.of(0), longer(hit(none), with, without)),
        Row.ofShare(what + ", all jobs", OptionalDouble.empty(), longer(all, with, without)));
  }

  private static OptionalDouble longer(int[] jobs, SchemeOutcome with, SchemeOutcome without) {
    double ideal = seconds(jobs, without);
    return ratio(seconds(jobs, with) - ideal, ideal);
  }

  private static double seconds(int[] jobs, SchemeOutcome outcome) {
    return IntStream.of(jobs).mapToDouble(i -> outcome.jobs().get(i).seconds()).sum();
  }

  /** Returns figure 22. */
  private static List<Row> saved(SchemeOutcome none, SchemeOutcome two) {
    WeightedQuantiles gone =
        ofHit(
            none,
            i -> {
              double before = none.jobs().get(i).recomputations();
              return (before - two.jobs().get(i).recomputations()) / before;
            },
            false);
    Rework rework = two.rework();
    long before = none.rework().recomputations();
    return List.of(
        Row.ofShare("recomputations gone, median job", OptionalDouble.of(0.78), gone.at(0.5)),
        Row.ofShare(
            "recomputations gone, all",
            OptionalDouble.empty(),
            ratio(before - rework.recomputations(), before)),
        Row.ofShare(
            "of what helped, by replication",
            OptionalDouble.of(2 / 3.0),
            ratio(rework.replicasUsed(), rework.replicasUsed() + rework.precomputationsNeeded())));
  }

  /** Returns figure 23, and how much of the protection was useful. */
  private static List<Row> cost(
      Workload workload, SchemeOutcome none, SchemeOutcome two, SchemeOutcome one) {
    Rework rework = two.rework();
    return List.of(
        Row.ofShare(
            "more network traffic",
            OptionalDouble.of(0.01),
            ratio(rework.replicatedBytes(), shuffledBytes(workload))),
        Row.ofShare(
            "more slot time by pre-computation",
            OptionalDouble.empty(),
            ratio(rework.precomputeSlotSeconds(), none.slotSeconds())),
        Row.ofShare(
            "replicas used",
            OptionalDouble.of(0.84),
            ratio(rework.replicasUsed(), rework.replicas())),
        Row.ofShare(
            "pre-computations needed, r = 2", OptionalDouble.of(0.93), needed(two.rework())),
        Row.ofShare(
            "pre-computations needed, r = 1", OptionalDouble.of(0.76), needed(one.rework())));
  }

  private static OptionalDouble needed(Rework rework) {
    return ratio(rework.precomputationsNeeded(), rework.precomputations());
  }

  private static double shuffledBytes(Workload workload) {
    double all = 0;
    for (Iterator<JobSpec> jobs = workload.jobs(); jobs.hasNext(); ) {
      all += jobs.next().phases().stream().skip(1).mapToDouble(PhaseSpec::totalBytes).sum();
    }
    return all;
  }

  /** Returns quantiles over the jobs that missed outputs without protection. */
  private static WeightedQuantiles ofHit(
      SchemeOutcome none, IntToDoubleFunction figure, boolean byClusterTime) {
    List<JobOutcome> jobs = none.jobs();
    int[] hit = hit(none);
    double[] values = IntStream.of(hit).mapToDouble(figure).toArray();
    double[] weights =
        IntStream.of(hit).mapToDouble(i -> byClusterTime ? jobs.get(i).slotSeconds() : 1).toArray();
    return WeightedQuantiles.of(values, weights);
  }

  /** Returns the jobs that missed outputs. */
  private static int[] hit(SchemeOutcome outcome) {
    return IntStream.range(0, outcome.jobs().size())
        .filter(i -> outcome.jobs().get(i).recomputations() > 0)
        .toArray();
  }

  private static OptionalDouble ratio(long part, long whole) {
    return ratio((double) part, (double) whole);
  }

  private static OptionalDouble ratio(double part, double whole) {
    return whole > 0 ? OptionalDouble.of(part / whole) : OptionalDouble.empty();
  }
}
