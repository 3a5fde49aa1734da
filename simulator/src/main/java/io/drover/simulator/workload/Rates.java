// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.core.model.TaskKind;
import io.drover.simulator.world.Draws;
import java.util.Locale;

/**
 * How fast the code of a job is, for traces that have no durations: modelled. Each phase of each
 * job has one rate, since the code of a phase is the same in all its tasks and differs between
 * phases (Mantri section 3.1); rates are lognormal around a median.
 *
 * @param mapBytesPerSecond median rate of maps, above 0
 * @param reduceBytesPerSecond median rate of the work of reduces, without the wait for the network,
 *     above 0
 * @param sigma standard deviation of a rate's logarithm, at least 0
 */
public record Rates(double mapBytesPerSecond, double reduceBytesPerSecond, double sigma) {
  /**
   * 8 MB/s for maps, so that a block of 128 MB takes 17 s, and 16 MB/s for reduces, whose bytes
   * come sorted; two thirds of the phases within a factor of 1.65. Nothing is published for the
   * clusters of the traces: these are chosen.
   */
  public static final Rates DEFAULT = new Rates(8e6, 16e6, 0.5);

  /** Checks the ranges above. */
  public Rates {
    check("mapBytesPerSecond", mapBytesPerSecond, mapBytesPerSecond > 0);
    check("reduceBytesPerSecond", reduceBytesPerSecond, reduceBytesPerSecond > 0);
    check("sigma", sigma, sigma >= 0);
  }

  /** What a phase takes for a byte, seconds. */
  double secondsPerByte(TaskKind kind, long key) {
    double median = kind == TaskKind.MAP ? mapBytesPerSecond : reduceBytesPerSecond;
    return 1 / Draws.logNormal(key, median, sigma);
  }

  /** For people. */
  String provenance() {
    return String.format(
        Locale.ROOT,
        "Durations: modelled; one rate for each phase of each job, lognormal with sigma %.2f around"
            + " %.1f MB/s for maps and %.1f MB/s for the work of reduces. Writing the output takes"
            + " no time of its own.",
        sigma,
        mapBytesPerSecond / 1e6,
        reduceBytesPerSecond / 1e6);
  }

  private static void check(String name, double value, boolean inRange) {
    if (!inRange || value == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(name + " is " + value);
    }
  }
}
