// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The K of M outputs that are passed on to the next stage.
 *
 * <p>{@link #roundRobin} is KMN section 4.2, algorithm 1: sort by (index within the rack; racks
 * with more outputs first) and take the first K, so one from each rack in turn, in O(M log M).
 *
 * <p>{@link #leastLoaded} makes the busiest link as little busy as possible, for sizes, bandwidths
 * and loads that are known. The paper calls that NP-hard. It is, for outputs of which each is read
 * by other tasks in other parts. Where all are partitioned alike (see {@link OutputProblem}) bytes
 * can only do harm, so of a rack's outputs the smallest are best, only the number for each rack is
 * open, and a bisection on the time finds it.
 *
 * <p>Neither looks at what is in an output. But what finishes first, or is small, need not be a
 * sample like any other: see {@link OutputProblem#withEqualSizes}.
 */
public final class OutputChoice {
  private OutputChoice() {}

  /**
   * The paper's choice.
   *
   * @param racks of the outputs, by any names, in the order in which they finished
   * @param needed K, at least 0 and at most the number of outputs
   * @return indices of K outputs, ascending
   */
  public static List<Integer> roundRobin(List<?> racks, int needed) {
    if (needed < 0 || needed > racks.size()) {
      throw new IllegalArgumentException(needed + " of " + racks.size() + " outputs");
    }
    int[] indexInRack = new int[racks.size()];
    Map<Object, Integer> count = new HashMap<>();
    for (int i = 0; i < indexInRack.length; i++) {
      indexInRack[i] = count.merge(racks.get(i), 1, Integer::sum) - 1;
    }
    return IntStream.range(0, racks.size())
        .boxed()
        .sorted(
            Comparator.<Integer>comparingInt(i -> indexInRack[i])
                .thenComparingInt(i -> -count.get(racks.get(i)))
                .thenComparingInt(i -> i))
        .limit(needed)
        .sorted()
        .toList();
  }

  /**
   * The choice with the least busy busiest link, to a few parts in 10^9, and a bound that shows it.
   */
  public static ChosenOutputs leastLoaded(OutputProblem problem) {
    return new LeastLoaded(problem).solve();
  }

  /**
   * Which K of M outputs are passed on, and how good that is.
   *
   * @param outputs their indices, ascending
   * @param seconds what the busiest link needs: the value that was to be made small
   * @param lowerBound no choice has a value below this, seconds
   * @param crossRackBytes what crosses from rack to rack in all
   */
  public record ChosenOutputs(
      List<Integer> outputs, double seconds, double lowerBound, double crossRackBytes) {}
}
