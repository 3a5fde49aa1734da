// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.replay;

import io.drover.simulator.result.Comparison;
import io.drover.simulator.result.Comparison.Curve;
import io.drover.simulator.result.Comparison.Figure;
import io.drover.simulator.result.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What all runs have shown.
 *
 * @param options what was asked for
 * @param setup of the first seed
 * @param size of the first seed's workload
 * @param runs by seed, and then in the order of the variants
 */
public record ReplayResult(
    SimulationOptions options, SimulationSetup setup, Size size, List<Run> runs) {
  /** How much work there was. */
  public record Size(int jobs, int phases, long tasks) {}

  /**
   * What is kept of one run.
   *
   * @param seconds that the simulation took, in this world
   * @param figures those that are known
   * @param curves heights at {@link Curve#points}; empty where there is nothing to be reduced
   */
  public record Run(
      Variant variant,
      long seed,
      double seconds,
      Map<Figure, Double> figures,
      Map<Curve, double[]> curves) {
    /** Keeps of a comparison with the baseline what is shown. */
    public static Run of(Variant variant, long seed, double seconds, Comparison comparison) {
      return new Run(
          variant,
          seed,
          seconds,
          Figure.of(comparison),
          Arrays.stream(Curve.values())
              .collect(Collectors.toMap(Function.identity(), curve -> curve.in(comparison))));
    }
  }

  /** Copies the list. */
  public ReplayResult {
    runs = List.copyOf(runs);
  }

  /** Whether there is nothing to be compared. */
  public boolean isEmpty() {
    return size.phases() == 0;
  }

  /** Whether each figure is the median of several. */
  public boolean isRepeated() {
    return options.repeat() > 1;
  }

  /** A figure over the repeats; empty where it is not known. */
  public Optional<Spread> spread(Variant variant, Figure figure) {
    return Spread.of(
        of(variant).map(run -> run.figures().get(figure)).filter(Objects::nonNull).toList());
  }

  /** The seconds that a variant's simulations took. */
  public Optional<Spread> seconds(Variant variant) {
    return Spread.of(of(variant).map(Run::seconds).toList());
  }

  /**
   * By how much a figure is greater than under another variant, over the repeats: both are compared
   * with the same seed, so that differences between seeds do not count. Empty where the figure is
   * not known.
   */
  public Optional<Spread> gain(Variant variant, Variant other, Figure figure) {
    List<Run> with = of(variant).toList();
    List<Run> without = of(other).toList();
    List<Double> gains = new ArrayList<>();
    for (int i = 0; i < with.size(); i++) {
      Double one = with.get(i).figures().get(figure);
      Double two = without.get(i).figures().get(figure);
      if (one != null && two != null) {
        gains.add(one - two);
      }
    }
    return Spread.of(gains);
  }

  /** The mean of a curve over the repeats; empty where there is nothing to be reduced. */
  public double[] curve(Variant variant, Curve curve) {
    List<double[]> all =
        of(variant).map(run -> run.curves().get(curve)).filter(c -> c.length > 0).toList();
    double[] mean = new double[all.isEmpty() ? 0 : all.get(0).length];
    for (double[] one : all) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += one[i] / all.size();
      }
    }
    return mean;
  }

  private Stream<Run> of(Variant variant) {
    return runs.stream().filter(run -> run.variant().equals(variant));
  }
}
