// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import java.util.OptionalDouble;
import org.apache.commons.math3.stat.StatUtils;

/** How fast the tasks of a phase have fetched what they read. */
final class Throughputs {
  private Throughputs() {}

  /**
   * How many times more bytes a second the median task has fetched than the slowest.
   *
   * <p>Source: Mantri section 6.4, figure 20: "the ratio of the throughput obtained by the median
   * task in each reduce phase to that obtained by the slowest task". Of each task it is the attempt
   * that counted.
   *
   * @return empty if fewer than two tasks fetched anything
   */
  static OptionalDouble medianToSlowest(PhaseRun phase) {
    if (!phase.reads()) {
      return OptionalDouble.empty();
    }
    double[] throughputs =
        phase.tasks().stream()
            .flatMap(task -> task.winner().stream())
            .mapToDouble(Throughputs::bytesPerSecond)
            .filter(throughput -> throughput > 0)
            .toArray();
    return throughputs.length < 2
        ? OptionalDouble.empty()
        : OptionalDouble.of(StatUtils.percentile(throughputs, 50) / StatUtils.min(throughputs));
  }

  private static double bytesPerSecond(AttemptRun attempt) {
    long bytes = attempt.task().bytes();
    return bytes > 0 ? bytes / attempt.fetchSeconds() : 0;
  }
}
