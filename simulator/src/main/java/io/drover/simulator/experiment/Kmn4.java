// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.core.sampling.LocalityProbability;
import io.drover.simulator.experiment.Experiment.ExperimentSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * KMN's figure 4 (section 3.1): the probability that all K tasks of a job read from their own
 * machine if they may read any K of N blocks, or if K blocks were selected beforehand. The text
 * prints the formula and two sentences: "the probability of achieving locality is high even when
 * 90% of the cluster is utilized", and for blocks selected beforehand it "drops dramatically even
 * with cluster utilization of 60% or less".
 */
final class Kmn4 extends PaperFigure {
  private static final int USUAL_TRIALS = 10_000;

  /** The two utilisations that the text mentions. */
  private static final double[] UTILISATIONS = {0.6, 0.9};

  /** N / K. */
  private static final int[] BLOCKS_A_TASK = {1, 2, 10};

  private final KmnLocality locality;

  Kmn4() {
    this(USUAL_TRIALS);
  }

  Kmn4(int trials) {
    super("kmn-4");
    this.locality = new KmnLocality(trials);
  }

  /** Any K of N blocks; blocks selected beforehand are K of K. */
  private record Any(double utilisation, int k, int n) implements KmnLocality.Point {
    @Override
    public String what() {
      return n == k ? k + " selected beforehand" : "any " + k + " of " + n;
    }

    @Override
    public double by(LocalityProbability formula) {
      return n == k ? formula.ofPreselected(k) : formula.ofAny(k, n);
    }

    @Override
    public double by(BlockPlacements placements, int trials) {
      return placements.ofAny(k, n, trials);
    }
  }

  private static List<Any> points() {
    List<Any> points = new ArrayList<>();
    for (double utilisation : UTILISATIONS) {
      for (int k : KmnLocality.K) {
        for (int blocks : BLOCKS_A_TASK) {
          points.add(new Any(utilisation, k, k * blocks));
        }
      }
    }
    return points;
  }

  @Override
  public List<String> steps() {
    return points().stream().map(Any::label).toList();
  }

  @Override
  public ExperimentResult run(ExperimentSettings settings) {
    return new ExperimentResult(
        locality.rows(points(), settings), locality.why(), locality.provenance());
  }
}
