// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.core.sampling.ExtraTasks;
import io.drover.core.sampling.OutputChoice;
import io.drover.core.sampling.SamplingSettings;
import io.drover.simulator.engine.StepProgress;
import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import io.drover.simulator.experiment.ExperimentResult.FigureUnit;
import io.drover.simulator.experiment.ExperimentResult.Row;
import io.drover.simulator.world.Draws;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * KMN's figure 6 (section 4.1): how unevenly the chosen outputs are distributed over 100 racks,
 * when core's round-robin, the paper's algorithm 1, chooses K of M.
 *
 * <pre>
 *   cross-rack skew = outputs in the fullest rack / outputs in the emptiest
 * </pre>
 *
 * <p>The text prints that "with 10% to 20% additional tasks the cross-rack skew is reduced by &gt;=
 * 2x", for racks that are drawn evenly and for lognormal ones. Departure: an empty rack counts as
 * one output, because the ratio would be infinite.
 */
final class Kmn6 extends PaperFigure {
  private static final int USUAL_TRIALS = 200;

  /** "A 100 rack cluster". */
  private static final int RACKS = 100;

  /** "Large jobs": with fewer than ten outputs per rack, many racks are empty. */
  private static final int[] K = {1000, 5000};

  private static final double[] RATIOS = {1, 1.1, 1.2};

  /** "Reduced by >= 2x". */
  private static final double LEAST_CUT = 2;

  private static final int OF_WEIGHT = 1;
  private static final int OF_RACK = 2;

  /** The distribution of the probabilities that racks get a task. */
  private enum Placement {
    UNIFORM("uniform", 0),
    LOG_NORMAL("lognormal", 1);

    private final String label;

    /** The standard deviation of the logarithm of a rack's weight. */
    private final double sigma;

    Placement(String label, double sigma) {
      this.label = label;
      this.sigma = sigma;
    }
  }

  /** A curve of the figure. */
  private record Curve(Placement placement, int k) {
    String label() {
      return String.format(Locale.ROOT, "%s, K = %d", placement.label, k);
    }

    String label(double ratio) {
      return String.format(Locale.ROOT, "%s, M/K = %.1f", label(), ratio);
    }
  }

  private final int trials;

  Kmn6() {
    this(USUAL_TRIALS);
  }

  Kmn6(int trials) {
    super("kmn-6");
    this.trials = trials;
  }

  private static List<Curve> curves() {
    return Arrays.stream(Placement.values())
        .flatMap(placement -> Arrays.stream(K).mapToObj(k -> new Curve(placement, k)))
        .toList();
  }

  @Override
  public List<String> steps() {
    return curves().stream().map(Curve::label).toList();
  }

  @Override
  public ExperimentResult run(ExperimentSettings settings) {
    List<Row> rows = new ArrayList<>();
    List<Curve> curves = curves();
    for (int i = 0; i < curves.size(); i++) {
      settings.progress().begin(RATIOS.length);
      rows.addAll(rows(curves.get(i), Draws.key(settings.seed(), i), settings.progress()));
      settings.progress().end(curves.get(i).label());
    }
    return new ExperimentResult(
        rows, why(Map.of("placements", String.valueOf(trials))), provenance());
  }

  /** Returns the skew at each M/K, and how many times less it is than without extra tasks. */
  private List<Row> rows(Curve curve, long seed, StepProgress progress) {
    List<Row> rows = new ArrayList<>();
    double without = 0;
    for (int i = 0; i < RATIOS.length; i++) {
      double ratio = RATIOS[i];
      double skew =
          IntStream.range(0, trials)
              .mapToDouble(trial -> skew(curve, ratio, Draws.key(seed, trial)))
              .average()
              .orElseThrow();
      String label = curve.label(ratio);
      rows.add(times(label + ": skew", OptionalDouble.empty(), skew));
      if (i == 0) {
        without = skew;
      } else {
        rows.add(times(label + ": less skew", OptionalDouble.of(LEAST_CUT), without / skew));
      }
      progress.ended(i + 1);
    }
    return rows;
  }

  private static Row times(String label, OptionalDouble paper, double ours) {
    return new Row(label, paper, OptionalDouble.of(ours), FigureUnit.TIMES);
  }

  /** Returns the skew of one random placement. */
  private static double skew(Curve curve, double ratio, long seed) {
    int k = curve.k();
    SamplingSettings usual = SamplingSettings.KMN;
    SamplingSettings settings =
        new SamplingSettings(
            ratio,
            usual.localitySeconds(),
            usual.sampleSeconds(),
            usual.coalesce(),
            usual.leastFinished(),
            usual.replaceFailed());
    int most = new ExtraTasks(settings).of(k, 2 * k, true).tasks();
    double[] upTo = weights(curve.placement(), seed);
    List<Integer> racks =
        IntStream.range(0, most)
            .map(task -> rack(upTo, Draws.uniform(Draws.key(seed, OF_RACK, task), 0, 1)))
            .boxed()
            .toList();
    int[] count = new int[RACKS];
    OutputChoice.roundRobin(racks, k).forEach(output -> count[racks.get(output)]++);
    int least = Arrays.stream(count).min().orElseThrow();
    return (double) Arrays.stream(count).max().orElseThrow() / Math.max(1, least);
  }

  /** Returns the cumulative shares of the weights of the racks. */
  private static double[] weights(Placement placement, long seed) {
    double[] upTo = new double[RACKS];
    double sum = 0;
    for (int rack = 0; rack < RACKS; rack++) {
      sum += Draws.logNormal(Draws.key(seed, OF_WEIGHT, rack), 1, placement.sigma);
      upTo[rack] = sum;
    }
    double all = sum;
    return Arrays.stream(upTo).map(weight -> weight / all).toArray();
  }

  private static int rack(double[] upTo, double share) {
    int found = Arrays.binarySearch(upTo, share);
    return Math.min(RACKS - 1, found < 0 ? -found - 1 : found + 1);
  }

  private static List<String> provenance() {
    return List.of(
        "Racks of tasks: drawn at random from 100 racks, as in the paper. The lognormal has median"
            + " 1, as in the paper, and sigma 1, which the paper does not print. K is chosen here,"
            + " because the text does not print the K of the figure.",
        "Choice of outputs: core's round-robin, which is the paper's algorithm 1. M is computed by"
            + " core's rule and rounded down.");
  }
}
