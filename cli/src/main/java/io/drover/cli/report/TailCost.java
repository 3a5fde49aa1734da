// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Divides the time by which slow tasks made their phase longer among these tasks.
 *
 * <p>A phase would have ended when its last task had, if each slow task had taken its usual time.
 * Each second from then on until the real end is the fault of the slow tasks that had not ended
 * yet. It is divided equally among them. So the shares add up to the time that was lost, and a slow
 * task that ended before the phase would have ended anyway costs nothing.
 */
final class TailCost {
  private TailCost() {}

  /**
   * Returns the share of each task.
   *
   * @param ends when each task of the phase ended, seconds
   * @param usualEnds when it would have ended in its usual time; for a task that was not slow, the
   *     same
   * @return seconds, by task, not negative; their sum is the last end less the last usual end
   */
  static double[] of(double[] ends, double[] usualEnds) {
    double[] costs = new double[ends.length];
    double from = Arrays.stream(usualEnds).max().orElse(0);
    double phaseEnd = from;
    int[] late =
        IntStream.range(0, ends.length)
            .filter(task -> ends[task] > phaseEnd)
            .boxed()
            .sorted((a, b) -> Double.compare(ends[a], ends[b]))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int first = 0; first < late.length; first++) {
      double to = ends[late[first]];
      double share = (to - from) / (late.length - first);
      for (int task = first; task < late.length; task++) {
        costs[late[task]] += share;
      }
      from = to;
    }
    return costs;
  }
}
