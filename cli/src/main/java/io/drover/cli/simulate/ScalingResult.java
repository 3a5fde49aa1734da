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
record ScalingResult(SimulateOptions options, String scheme, Scene scene, List<Step> steps) {
  /** Above 1 by so much is told from noise: runs of a few seconds differ by some per cent. */
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

  /** Whether the last step takes no more for each n log2 n than the first, but for noise. */
  boolean isWithin() {
    return growth(lastFactor()).median() <= 1 + NOISE;
  }

  private static int lastFactor() {
    return Scaling.FACTORS.get(Scaling.FACTORS.size() - 1);
  }

  /** Says whether the time grows faster than n log n. */
  String verdict() {
    int last = lastFactor();
    Spread tasks = of(last, step -> (double) step.tasks() / first(step.seed()).tasks());
    Spread seconds = of(last, step -> step.seconds() / first(step.seed()).seconds());
    return String.format(
        Locale.ROOT,
        "With %.1f times the tasks a run takes %.1f times as long: %.2f of what n log n allows, so"
            + " it grows %s.",
        tasks.median(),
        seconds.median(),
        growth(last).median(),
        isWithin() ? "no faster than n log n" : "faster than n log n");
  }
}
