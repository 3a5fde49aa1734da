// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Chooses the K of M outputs that are passed on to the next stage.
 *
 * <p>{@link #roundRobin} is KMN section 4.2, algorithm 1: it sorts by (index within the rack; racks
 * with more outputs first) and takes the first K, which is one from each rack in turn, in O(M log
 * M).
 *
 * <p>{@link #leastLoaded} minimises the load of the busiest link for known sizes, bandwidths and
 * loads. The paper calls that NP-hard. It is, if each output has other readers with other parts of
 * it. If all outputs are partitioned alike (see {@link OutputProblem}), more bytes can only do
 * harm, so the smallest outputs of a rack are best. Only the number for each rack is open then, and
 * a bisection on the time finds it.
 *
 * <p>Both ignore the content of an output. But the first or the smallest outputs need not be a
 * sample like any other: see {@link OutputProblem#withEqualSizes}.
 */
public final class OutputChoice {
  private OutputChoice() {}

  /**
   * Returns the paper's choice.
   *
   * @param racks racks of the outputs, by any names, in the order in which the outputs finished
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

  /** Returns the choice that loads the busiest link least, to a few parts in 10^9, with a bound. */
  public static ChosenOutputs leastLoaded(OutputProblem problem) {
    return new LeastLoaded(problem).solve();
  }

  /**
   * Which K of M outputs are passed on, and how good that is.
   *
   * @param outputs their indices, ascending
   * @param seconds the time of the busiest link: the value that is minimised
   * @param lowerBound no choice has a value below this, seconds
   * @param crossRackBytes the bytes between racks in total
   */
  public record ChosenOutputs(
      List<Integer> outputs, double seconds, double lowerBound, double crossRackBytes) {}
}
