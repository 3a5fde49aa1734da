// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import io.drover.core.sampling.OutputChoice.ChosenOutputs;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Finds the K of M outputs that load the busiest link least, by bisection on the time T it needs.
 *
 * <p>Replacing a chosen output by a smaller one of the same rack lowers the load of some links and
 * raises none. So the x_r outputs from rack r are the smallest ones, with m_r(x_r) bytes. T is long
 * enough if there are x_r with sum K and
 *
 * <pre>
 *   m_r(x_r) &lt;= U_r(T)            what the uplink can carry
 *   B - m_r(x_r) &lt;= V_r(T)        what the downlink can carry, where B = sum of m_r(x_r)
 * </pre>
 *
 * <p>The first condition bounds x_r from above. The second bounds it from below, and more so the
 * larger B is. The smallest B within given bounds comes from the smallest outputs, because m_r is
 * convex. It raises the lower bounds, which raise B, and so on. No B ever exceeds that of a
 * solution, so in the end the bounds allow a choice, or they cross.
 *
 * <p>Among equally good choices it takes one with the fewest bytes, then one with the fewest bytes
 * across racks.
 */
final class LeastLoaded {
  private static final double PRECISION = 1e-9;
  private static final int MOST_HALVINGS = 200;

  private final OutputProblem problem;

  /** All outputs, the smallest first; among equals those of racks that read more of them first. */
  private final int[] ascending;

  /** m_r: the bytes of the smallest outputs of a rack. */
  private final double[][] smallest;

  private final int[] least;
  private final int[] most;
  private final int[] count;

  LeastLoaded(OutputProblem problem) {
    this.problem = problem;
    this.ascending =
        IntStream.range(0, problem.outputs())
            .boxed()
            .sorted(
                Comparator.<Integer>comparingDouble(problem::bytes)
                    .thenComparingDouble(i -> -problem.share(problem.rack(i)))
                    .thenComparingInt(i -> i))
            .mapToInt(i -> i)
            .toArray();
    int racks = problem.racks();
    this.least = new int[racks];
    this.most = new int[racks];
    this.count = new int[racks];
    this.smallest = new double[racks][];
    for (int i : ascending) {
      count[problem.rack(i)]++;
    }
    Arrays.setAll(smallest, r -> new double[count[r] + 1]);
    Arrays.fill(count, 0);
    for (int i : ascending) {
      int r = problem.rack(i);
      smallest[r][count[r] + 1] = smallest[r][count[r]] + problem.bytes(i);
      count[r]++;
    }
  }

  ChosenOutputs solve() {
    if (fits(0)) {
      return chosen(0);
    }
    takeSmallest();
    int[] best = count.clone();
    double high = seconds();
    double low = 0;
    for (int i = 0; i < MOST_HALVINGS && high - low > PRECISION * high; i++) {
      double middle = low + (high - low) / 2;
      if (fits(middle)) {
        best = count.clone();
        high = Math.min(middle, seconds());
      } else {
        low = middle;
      }
    }
    if (!fits(high * (1 + PRECISION))) {
      System.arraycopy(best, 0, count, 0, best.length);
    }
    return chosen(low * (1 - PRECISION));
  }

  /** Takes the K smallest outputs, wherever they are. */
  private void takeSmallest() {
    Arrays.fill(count, 0);
    for (int i = 0; i < problem.needed(); i++) {
      count[problem.rack(ascending[i])]++;
    }
  }

  /** Returns the time of the busiest link for the present counts. */
  private double seconds() {
    double[] inRack = new double[count.length];
    double all = 0;
    for (int r = 0; r < count.length; r++) {
      inRack[r] = smallest[r][count[r]];
      all += inRack[r];
    }
    return problem.seconds(inRack, all);
  }

  private ChosenOutputs chosen(double bound) {
    List<Integer> outputs = chosen();
    double seconds = problem.seconds(outputs);
    return new ChosenOutputs(
        outputs, seconds, Math.min(bound, seconds), problem.crossRackBytes(outputs));
  }

  /** Returns whether T is long enough; {@link #count} then has the outputs of each rack. */
  private boolean fits(double seconds) {
    for (int r = 0; r < most.length; r++) {
      most[r] = mostOf(r, seconds);
      if (most[r] < 0 || problem.downSeconds(r, 0) > seconds) {
        return false;
      }
    }
    Arrays.fill(least, 0);
    while (fill()) {
      double all = 0;
      for (int r = 0; r < count.length; r++) {
        all += smallest[r][count[r]];
      }
      if (!raise(all, seconds)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the largest x_r that the uplink can carry; -1 if its other load takes longer. */
  private int mostOf(int r, double seconds) {
    int low = -1;
    int high = smallest[r].length;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (problem.upSeconds(r, smallest[r][middle]) <= seconds) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Chooses the fewest bytes within the bounds; returns false if K outputs do not fit. */
  private boolean fill() {
    int missing = problem.needed();
    for (int r = 0; r < least.length; r++) {
      if (least[r] > most[r]) {
        return false;
      }
      missing -= least[r];
    }
    if (missing < 0) {
      return false;
    }
    int[] seen = new int[count.length];
    System.arraycopy(least, 0, count, 0, count.length);
    for (int i = 0; i < ascending.length && missing > 0; i++) {
      int r = problem.rack(ascending[i]);
      if (seen[r]++ >= least[r] && count[r] < most[r]) {
        count[r]++;
        missing--;
      }
    }
    return missing == 0;
  }

  /**
   * Raises the lower bounds to the least that the downlinks need if {@code all} bytes are chosen;
   * returns false if the present counts satisfy them.
   */
  private boolean raise(double all, double seconds) {
    boolean unmet = false;
    for (int r = 0; r < least.length; r++) {
      int x = least[r];
      while (x < smallest[r].length && problem.downSeconds(r, all - smallest[r][x]) > seconds) {
        x++;
      }
      least[r] = x;
      unmet |= x > count[r];
    }
    return unmet;
  }

  /** Returns the outputs that {@link #count} stands for, in ascending order. */
  private List<Integer> chosen() {
    int[] seen = new int[count.length];
    return Arrays.stream(ascending)
        .filter(i -> seen[problem.rack(i)]++ < count[problem.rack(i)])
        .sorted()
        .boxed()
        .toList();
  }
}
