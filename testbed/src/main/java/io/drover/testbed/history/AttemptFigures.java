// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import java.util.List;
import java.util.OptionalLong;

/**
 * What was measured of an attempt. A history from before 2.x, or of an attempt that was killed, may
 * lack any of it.
 *
 * @param bytesRead the bytes of a map's input, or what a reduce fetched
 * @param records the records of its input
 * @param cpuMillis the processor time
 * @param gcMillis the part of its time in which the JVM collected garbage
 * @param clockSplits the milliseconds that it spent in each part of its progress, of equal shares;
 *     twelve by default ({@code yarn.app.mapreduce.am.num-progress-splits})
 * @param cpuSplits the milliseconds of processor time in each of these parts
 * @param locality how near a map was to its input, such as {@code NODE_LOCAL}; empty if unknown
 */
public record AttemptFigures(
    OptionalLong bytesRead,
    OptionalLong records,
    OptionalLong cpuMillis,
    OptionalLong gcMillis,
    List<Integer> clockSplits,
    List<Integer> cpuSplits,
    String locality) {
  /** Nothing is known. */
  public static final AttemptFigures NONE =
      new AttemptFigures(
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          List.of(),
          List.of(),
          "");
}
