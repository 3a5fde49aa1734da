// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.result;

import java.util.function.Function;
import java.util.stream.IntStream;

/** A distribution that the page draws: which share got a reduction of at most so much. */
public enum Curve {
  PHASE_TIME(
      "Completion time of phases", "share of phases, by their lifetime", Comparison::phaseTime),
  PHASE_SLOTS(
      "Resource usage of phases: slot time",
      "share of phases, by their lifetime",
      Comparison::phaseSlots),
  JOB_TIME("Completion time of all jobs", "share of jobs", Comparison::jobTime),
  SMALL_JOB_TIME(
      "Completion time of small jobs, at most " + Comparison.MOST_TASKS_OF_A_SMALL_JOB + " tasks",
      "share of small jobs",
      Comparison::smallJobTime);

  /** Steps of half a point from a reduction of -100 % to one of 100 %. */
  private static final int STEPS = 400;

  private final String title;
  private final String share;
  private final Function<Comparison, WeightedQuantiles> source;

  Curve(String title, String share, Function<Comparison, WeightedQuantiles> source) {
    this.title = title;
    this.share = share;
    this.source = source;
  }

  /** What is reduced. */
  public String title() {
    return title;
  }

  /** What the height means. */
  public String share() {
    return share;
  }

  /** Reductions for which the curve is known, in rising order. */
  public static double[] points() {
    return IntStream.rangeClosed(0, STEPS).mapToDouble(i -> 2.0 * i / STEPS - 1).toArray();
  }

  /** The share at or below each of the points; no shares if there is nothing to be reduced. */
  public double[] in(Comparison comparison) {
    WeightedQuantiles reductions = source.apply(comparison);
    return reductions.isEmpty() ? new double[0] : reductions.shareUpTo(points());
  }
}
