// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.core.model.TaskKind;
import io.drover.simulator.world.Draws;
import java.util.Locale;

/**
 * Models how fast the code of a job is, for traces that have no durations. Each phase of each job
 * has one rate because all tasks of a phase run the same code, and different phases run different
 * code (Mantri section 3.1). Rates are lognormal around a median.
 *
 * @param mapBytesPerSecond the median rate of maps, above 0
 * @param reduceBytesPerSecond the median rate of the work of reduces, without the time to fetch,
 *     above 0
 * @param sigma the standard deviation of the logarithm of a rate, at least 0
 */
public record Rates(double mapBytesPerSecond, double reduceBytesPerSecond, double sigma) {
  /**
   * The default rates: 8 MB/s for maps, so that a block of 128 MB takes 17 s, and 16 MB/s for
   * reduces, whose input is already sorted. Two thirds of the phases lie within a factor of 1.65 of
   * the median. Chosen: nothing is published for the clusters of the traces.
   */
  public static final Rates DEFAULT = new Rates(8e6, 16e6, 0.5);

  /** Checks the ranges above. */
  public Rates {
    check("mapBytesPerSecond", mapBytesPerSecond, mapBytesPerSecond > 0);
    check("reduceBytesPerSecond", reduceBytesPerSecond, reduceBytesPerSecond > 0);
    check("sigma", sigma, sigma >= 0);
  }

  /** Draws the seconds that a phase takes for a byte. */
  double secondsPerByte(TaskKind kind, long key) {
    double median = kind == TaskKind.MAP ? mapBytesPerSecond : reduceBytesPerSecond;
    return 1 / Draws.logNormal(key, median, sigma);
  }

  /** Returns a sentence about the rates for reports. */
  String provenance() {
    return String.format(
        Locale.ROOT,
        "Durations: modelled; one rate for each phase of each job, lognormal with sigma %.2f around"
            + " %.1f MB/s for maps and %.1f MB/s for the work of reduces. Writing the output takes"
            + " no extra time.",
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
