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
 * The results of all runs.
 *
 * @param options the options of the runs
 * @param setup the setup of the first seed
 * @param size the size of the first seed's workload
 * @param runs the runs by seed, and then in the order of the variants
 */
public record ReplayResult(
    SimulationOptions options, SimulationSetup setup, Size size, List<Run> runs) {
  /** The size of a workload. */
  public record Size(int jobs, int phases, long tasks) {}

  /**
   * The results of one run.
   *
   * @param seconds the real time that the simulation took, in seconds
   * @param figures the figures that are known
   * @param curves the heights at {@link Curve#points}; empty if there is nothing to reduce
   */
  public record Run(
      Variant variant,
      long seed,
      double seconds,
      Map<Figure, Double> figures,
      Map<Curve, double[]> curves) {
    /** Takes the results from a comparison with the baseline. */
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

  /** Returns whether there is nothing to compare. */
  public boolean isEmpty() {
    return size.phases() == 0;
  }

  /** Returns whether each figure is the median of several runs. */
  public boolean isRepeated() {
    return options.repeat() > 1;
  }

  /** Returns a figure over the repeats; empty if it is not known. */
  public Optional<Spread> spread(Variant variant, Figure figure) {
    return Spread.of(
        of(variant).map(run -> run.figures().get(figure)).filter(Objects::nonNull).toList());
  }

  /** Returns the seconds that a variant's simulations took. */
  public Optional<Spread> seconds(Variant variant) {
    return Spread.of(of(variant).map(Run::seconds).toList());
  }

  /**
   * Returns by how much a figure is greater than under another variant, over the repeats. Both are
   * compared with the same seed, so differences between seeds do not count. Empty if the figure is
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

  /** Returns the mean of a curve over the repeats; empty if there is nothing to reduce. */
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
