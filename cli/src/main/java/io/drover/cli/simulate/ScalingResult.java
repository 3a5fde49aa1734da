// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.text.Spread;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * How the time of simulations grew.
 *
 * @param options what was asked for
 * @param scheme under which the jobs ran
 * @param scene the world of the first seed, with the jobs of the first step
 * @param steps by seed and size
 */
record ScalingResult(
    SimulateOptions options, String scheme, SimulationSetup scene, List<Step> steps) {
  /** A rise by a tenth is taken for noise: runs of a few seconds differ by some per cent. */
  private static final double NOISE = 0.1;

  /**
   * One run.
   *
   * @param seed of the workload and of all chance
   * @param factor how many times as many jobs as in the first step
   * @param tasks that were done
   * @param events of the simulation
   * @param seconds of a processor that it took
   */
  record Step(long seed, int factor, long tasks, long events, double seconds) {
    /** Seconds for each n log2 n, n being the tasks. */
    double secondsPerUnit() {
      double n = tasks;
      return seconds / (n * Math.log(n) / Math.log(2));
    }
  }

  /** Copies the list. */
  ScalingResult {
    steps = List.copyOf(steps);
  }

  /** Something of all runs of one size. */
  Spread of(int factor, ToDoubleFunction<Step> what) {
    return Spread.of(
            steps.stream()
                .filter(step -> step.factor() == factor)
                .map(what::applyAsDouble)
                .toList())
        .orElseThrow();
  }

  /** Seconds for each n log2 n; 1 is what the first step of the same seed takes. */
  Spread growth(int factor) {
    return of(factor, step -> step.secondsPerUnit() / first(step.seed()).secondsPerUnit());
  }

  private Step first(long seed) {
    return steps.stream().filter(step -> step.seed() == seed).findFirst().orElseThrow();
  }

  /**
   * Whether n log n bounds the growth: from no size to a larger one does the time for each n log2 n
   * rise by more than noise. A first size that is slow, since the JVM has just begun, hides
   * nothing: all others are compared with each other, too.
   */
  boolean isWithin() {
    return worst() <= 1 + NOISE;
  }

  /** The greatest rise of the time for each n log2 n from a size to a larger one, as a factor. */
  private double worst() {
    double worst = 0;
    for (int from = 0; from < Scaling.FACTORS.size(); from++) {
      for (int to = from + 1; to < Scaling.FACTORS.size(); to++) {
        double before = growth(Scaling.FACTORS.get(from)).median();
        worst = Math.max(worst, growth(Scaling.FACTORS.get(to)).median() / before);
      }
    }
    return worst;
  }

  /** Says whether the time grows faster than n log n. */
  String verdict() {
    int last = Scaling.FACTORS.get(Scaling.FACTORS.size() - 1);
    Spread tasks = of(last, step -> (double) step.tasks() / first(step.seed()).tasks());
    Spread seconds = of(last, step -> step.seconds() / first(step.seed()).seconds());
    return String.format(
        Locale.ROOT,
        "With %.1f times the tasks a run takes %.1f times as long. From one size to a larger one the"
            + " time for each n log2 n becomes %.2f times as much at most: it grows %s n log n.",
        tasks.median(),
        seconds.median(),
        worst(),
        isWithin() ? "no faster than" : "faster than");
  }
}
