// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.core.sampling.LocalityProbability;
import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * KMN's figure 5 (section 3.2): the probability that all K tasks of a job read from their own
 * machine if they may take any of f disjoint samples of K blocks: 1 - (1 - p^K)^f. The text prints
 * the formula, and "at f = 5 we see that small jobs (10 tasks) can achieve complete locality even
 * when the cluster is 80% utilized".
 */
final class Kmn5 extends PaperFigure {
  private static final int USUAL_TRIALS = 10_000;
  private static final double[] UTILISATIONS = {0.6, 0.8};
  private static final int[] SAMPLES = {1, 5, 10};

  /** The point for which the text claims complete locality. */
  private static final Samples PRINTED = new Samples(0.8, 10, 5);

  private static final double COMPLETE = 1;

  private final KmnLocality locality;

  Kmn5() {
    this(USUAL_TRIALS);
  }

  Kmn5(int trials) {
    super("kmn-5");
    this.locality = new KmnLocality(trials);
  }

  /** Any of f samples of K blocks. */
  private record Samples(double utilisation, int k, int f) implements KmnLocality.Point {
    @Override
    public String what() {
      return "any of " + f + (f == 1 ? " sample" : " samples") + " of " + k;
    }

    @Override
    public double by(LocalityProbability formula) {
      return formula.ofSamples(k, f);
    }

    @Override
    public double by(BlockPlacements placements, int trials) {
      return placements.ofSamples(k, f, trials);
    }
  }

  private static List<Samples> points() {
    List<Samples> points = new ArrayList<>();
    for (double utilisation : UTILISATIONS) {
      for (int k : KmnLocality.K) {
        for (int f : SAMPLES) {
          points.add(new Samples(utilisation, k, f));
        }
      }
    }
    return points;
  }

  @Override
  public List<String> steps() {
    return points().stream().map(Samples::label).toList();
  }

  @Override
  public ExperimentResult run(ExperimentSettings settings) {
    List<Row> rows = new ArrayList<>(locality.rows(points(), settings));
    double formula = PRINTED.by(new LocalityProbability(PRINTED.utilisation(), KmnLocality.SLOTS));
    rows.add(Row.ofShare(PRINTED.label() + ", by the text", COMPLETE, formula));
    List<String> why = new ArrayList<>(locality.why());
    why.add(
        String.format(
            Locale.ROOT,
            "'By the text': the text says that 10 tasks can have complete locality, but its own"
                + " formula with its own 8 slots gives %.0f %%.",
            100 * formula));
    return new ExperimentResult(rows, why, locality.provenance());
  }
}
