// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import io.drover.core.model.Ascending;
import java.util.Arrays;

/**
 * A lower bound on what the busiest link needs, by bisection on that time.
 *
 * <p>Within M seconds rack r can send {@code up_r M} bytes, so at least the rest of its output has
 * to be read by reduces in it; and it can receive {@code down_r M}. Of reduces of H bytes in all,
 * those in r can find at most f_r(H) of them there: the reduces with the largest share of their
 * input in r, split where need be. H - f_r(H) and f_r(H) both grow with H, so M allows each rack an
 * interval of H; M is too short if some rack's is empty, or the bytes of all reduces do not fit
 * between the sums of the ends.
 *
 * <p>With reduces that are alike f_r is a line, and this is the fractional form of Mantri section
 * 5.2 ({@code T_u = d_i (1 - a_i) / u_i, T_d = (D - d_i) a_i / v_i}), exactly. In general it is a
 * relaxation: two racks may count on the same reduce.
 */
final class FluidBound {
  private static final int HALVINGS = 40;

  /** Shares are sorted as floats; what that can cost is taken off the bound. */
  private static final double SAFE = 1 - 1e-6;

  private final PlacementProblem problem;
  private final double total;
  private final double[][] hosted;
  private final double[][] local;

  private FluidBound(PlacementProblem problem) {
    this.problem = problem;
    int reduces = problem.reduces();
    hosted = new double[problem.racks()][];
    local = new double[problem.racks()][];
    double sum = 0;
    for (int j = 0; j < reduces; j++) {
      sum += problem.size(j);
    }
    total = sum;
    for (int r = 0; r < problem.racks(); r++) {
      frontier(r);
    }
  }

  /** The bound, seconds. */
  static double of(PlacementProblem problem) {
    double bound = new FluidBound(problem).bisect();
    for (int r = 0; r < problem.racks(); r++) {
      bound = Math.max(bound, fullRack(problem, r));
    }
    return bound;
  }

  /** What an uplink needs at least if the rack's slots go to those who read most from it. */
  private static double fullRack(PlacementProblem problem, int rack) {
    if (problem.slots(rack) >= problem.reduces()) {
      return 0;
    }
    double[] input = new double[problem.reduces()];
    Arrays.setAll(input, j -> problem.input(j, rack));
    Arrays.sort(input);
    double sent = 0;
    for (int i = 0; i < input.length - problem.slots(rack); i++) {
      sent += input[i];
    }
    return sent * problem.secondsPerByteUp(rack) * SAFE;
  }

  /** The corners of f_r: hosted bytes, and how many of them are local at most. */
  private void frontier(int rack) {
    int reduces = problem.reduces();
    long[] order = new long[reduces];
    for (int j = 0; j < reduces; j++) {
      double share = problem.size(j) == 0 ? 0 : problem.input(j, rack) / problem.size(j);
      order[j] = ((long) Float.floatToIntBits((float) share) << 32) | j;
    }
    Arrays.sort(order); // floats that are not negative are in the order of their bits
    double[] h = new double[reduces + 1];
    double[] l = new double[reduces + 1];
    for (int i = 0; i < reduces; i++) {
      int j = (int) order[reduces - 1 - i];
      h[i + 1] = h[i] + problem.size(j);
      l[i + 1] = l[i] + problem.input(j, rack);
    }
    hosted[rack] = h;
    local[rack] = l;
  }

  private double bisect() {
    double low = 0;
    double high = longest();
    if (fits(low)) {
      return 0;
    }
    for (int i = 0; i < HALVINGS && high - low > 1e-9 * high; i++) {
      double middle = (low + high) / 2;
      if (fits(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return low * SAFE;
  }

  /** A time in which everything could cross every link. */
  private double longest() {
    double slowest = 0;
    for (int r = 0; r < problem.racks(); r++) {
      slowest =
          Math.max(slowest, Math.max(problem.secondsPerByteUp(r), problem.secondsPerByteDown(r)));
    }
    return slowest * total;
  }

  private boolean fits(double seconds) {
    double least = 0;
    double most = 0;
    for (int r = 0; r < problem.racks(); r++) {
      double from = leastHosted(r, seconds);
      double to = mostHosted(r, seconds);
      if (from > to * (1 + 1e-12)) {
        return false;
      }
      least += from;
      most += to;
    }
    return least <= total * (1 + 1e-12) && total <= most * (1 + 1e-12);
  }

  /** The smallest H with {@code f_r(H) >= output - up M}. */
  private double leastHosted(int rack, double seconds) {
    double perByte = problem.secondsPerByteUp(rack);
    double must = perByte == 0 ? 0 : problem.output(rack) - seconds / perByte;
    if (must <= 0) {
      return 0;
    }
    double[] l = local[rack];
    double[] h = hosted[rack];
    int i = Ascending.countBelow(l, must);
    if (i == l.length) {
      return total;
    }
    return h[i - 1] + (h[i] - h[i - 1]) * (must - l[i - 1]) / (l[i] - l[i - 1]);
  }

  /** The largest H with {@code H - f_r(H) <= down M}. */
  private double mostHosted(int rack, double seconds) {
    double perByte = problem.secondsPerByteDown(rack);
    double may = perByte == 0 ? Double.POSITIVE_INFINITY : seconds / perByte;
    double[] l = local[rack];
    double[] h = hosted[rack];
    if (h[h.length - 1] - l[l.length - 1] <= may) {
      return total;
    }
    int low = 0;
    int high = h.length - 1;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (h[middle] - l[middle] <= may) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double before = h[low] - l[low];
    double after = h[high] - l[high];
    return h[low] + (h[high] - h[low]) * (may - before) / (after - before);
  }
}
