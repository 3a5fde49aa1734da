// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import io.drover.core.model.SortedArrays;
import java.util.Arrays;

/**
 * Computes a lower bound on the busiest link's time by bisection on that time.
 *
 * <p>Within M seconds rack r can send {@code up_r M} bytes, so reduces in the rack have to read at
 * least the rest of its output; and it can receive {@code down_r M} bytes. If reduces with H bytes
 * in total run in r, at most f_r(H) of these bytes are local: those of the reduces with the largest
 * share of their input in r, the last one split if needed. Both H - f_r(H) and f_r(H) grow with H,
 * so M allows each rack an interval of H. H is also limited by the largest reduces that fit into
 * the rack's slots. M is too short if some rack's interval is empty, or if the bytes of all reduces
 * do not lie between the sums of the interval ends.
 *
 * <p>If all reduces are alike, f_r is a line, and this is exactly the fractional form of Mantri
 * section 5.2 ({@code T_u = d_i (1 - a_i) / u_i, T_d = (D - d_i) a_i / v_i}). In general it is a
 * relaxation: two racks may count on the same reduce.
 *
 * <p>Only the reduces that a rack could host within the value of a known placement are sorted. With
 * a hundred racks, each hosts few.
 */
final class FluidBound {
  private static final int HALVINGS = 40;

  /** Reduces are graded coarsely by their share, and only those with high grades are sorted. */
  private static final int GRADES = 256;

  /** Factor on the bound that covers the error of sorting shares as floats. */
  private static final double SAFE = 1 - 1e-6;

  private final PlacementProblem problem;
  private final double known;
  private final double total;
  private final double[][] hosted;
  private final double[][] local;
  private final double[] mostInSlots;

  /** The share of each reduce's input that is in the current rack; {@code remote} has the rest. */
  private final float[] share;

  private final double[] remote;
  private final int[] grade;

  private FluidBound(PlacementProblem problem, double known) {
    this.problem = problem;
    this.known = known;
    int racks = problem.racks();
    hosted = new double[racks][];
    local = new double[racks][];
    double[] largest = largest(problem);
    total = largest[problem.reduces()];
    mostInSlots = new double[racks];
    share = new float[problem.reduces()];
    remote = new double[problem.reduces()];
    grade = new int[problem.reduces()];
    for (int r = 0; r < racks; r++) {
      mostInSlots[r] = largest[Math.min(problem.slots(r), problem.reduces())];
      frontier(r);
    }
  }

  /**
   * Returns the bound, seconds.
   *
   * @param known the value of some placement, seconds
   */
  static double of(PlacementProblem problem, double known) {
    double bound = Math.max(new FluidBound(problem, known).bisect(), largestReduce(problem));
    for (int r = 0; r < problem.racks(); r++) {
      if (problem.output(r) * problem.secondsPerByteUp(r) > bound) {
        bound = Math.max(bound, fullRack(problem, r));
      }
    }
    return bound;
  }

  /** Returns, for each n, the bytes of the n largest reduces together. */
  private static double[] largest(PlacementProblem problem) {
    int reduces = problem.reduces();
    double[] size = new double[reduces];
    Arrays.setAll(size, problem::size);
    Arrays.sort(size);
    double[] sum = new double[reduces + 1];
    for (int i = 0; i < reduces; i++) {
      sum[i + 1] = sum[i] + size[reduces - 1 - i];
    }
    return sum;
  }

  /** Returns the largest time that any reduce needs on the downlink of its best rack, unsplit. */
  private static double largestReduce(PlacementProblem problem) {
    double most = 0;
    for (int j = 0; j < problem.reduces(); j++) {
      double least = Double.POSITIVE_INFINITY;
      for (int r = 0; r < problem.racks(); r++) {
        if (problem.slots(r) > 0) {
          least = Math.min(least, problem.remote(j, r) * problem.secondsPerByteDown(r));
        }
      }
      most = Math.max(most, least);
    }
    return most;
  }

  /** Returns a rack's least uplink time, if its slots go to the reduces that read most there. */
  private static double fullRack(PlacementProblem problem, int rack) {
    double[] input = new double[problem.reduces()];
    Arrays.setAll(input, j -> problem.input(j, rack));
    Arrays.sort(input);
    double sent = 0;
    for (int i = 0; i < input.length - problem.slots(rack); i++) {
      sent += input[i];
    }
    return sent * problem.secondsPerByteUp(rack) * SAFE;
  }

  /** Computes the corners of f_r: the hosted bytes, and how many of them are local at most. */
  private void frontier(int rack) {
    for (int j = 0; j < share.length; j++) {
      double size = problem.size(j);
      share[j] = size == 0 ? 0 : (float) (problem.input(j, rack) / size);
      remote[j] = problem.remote(j, rack);
    }
    int least = leastGrade(rack);
    long[] order = new long[share.length];
    int count = 0;
    for (int j = 0; j < share.length; j++) {
      if (grade[j] >= least) {
        order[count++] = ((long) Float.floatToIntBits(share[j]) << 32) | j;
      }
    }
    Arrays.sort(order, 0, count); // non-negative floats are ordered like their bits
    double[] h = new double[count + 1];
    double[] l = new double[count + 1];
    for (int i = 0; i < count; i++) {
      int j = (int) order[count - 1 - i];
      h[i + 1] = h[i] + problem.size(j);
      l[i + 1] = l[i] + problem.input(j, rack);
    }
    hosted[rack] = h;
    local[rack] = l;
  }

  /**
   * Grades the reduces by share. Returns the highest grade at which all reduces from it upwards
   * need more than the known value to be received; 0 if they never do.
   */
  private int leastGrade(int rack) {
    float most = 0;
    for (float value : share) {
      most = Math.max(most, value);
    }
    float scale = most == 0 ? 0 : (GRADES - 1) / most;
    double[] received = new double[GRADES];
    for (int j = 0; j < share.length; j++) {
      grade[j] = Math.min(GRADES - 1, (int) (share[j] * scale));
      received[grade[j]] += remote[j];
    }
    double may = receives(rack, known);
    int least = GRADES - 1;
    for (double sum = received[least]; sum <= may && least > 0; sum += received[least]) {
      least--;
    }
    return least;
  }

  private double bisect() {
    double low = 0;
    double high = known;
    if (fits(low)) {
      return 0;
    }
    for (int i = 0; i < HALVINGS && high - low > 1e-7 * high; i++) {
      double middle = (low + high) / 2;
      if (fits(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return low * SAFE;
  }

  private boolean fits(double seconds) {
    double least = 0;
    double most = 0;
    for (int r = 0; r < problem.racks(); r++) {
      double from = leastHosted(r, seconds);
      double to = Math.min(mostHosted(r, seconds), mostInSlots[r]);
      if (from > to * (1 + 1e-12)) {
        return false;
      }
      least += from;
      most += to;
    }
    return least <= total * (1 + 1e-12) && total <= most * (1 + 1e-12);
  }

  /** Returns the bytes that a rack can receive. */
  private double receives(int rack, double seconds) {
    double perByte = problem.secondsPerByteDown(rack);
    return perByte == 0 ? Double.POSITIVE_INFINITY : seconds / perByte;
  }

  /** Returns the smallest H with {@code f_r(H) >= output - up M}. */
  private double leastHosted(int rack, double seconds) {
    double perByte = problem.secondsPerByteUp(rack);
    double must = perByte == 0 ? 0 : problem.output(rack) - seconds / perByte;
    if (must <= 0) {
      return 0;
    }
    double[] l = local[rack];
    double[] h = hosted[rack];
    int i = SortedArrays.countBelow(l, must);
    if (i == l.length) {
      return total; // more than it can receive, or everything
    }
    return h[i - 1] + (h[i] - h[i - 1]) * (must - l[i - 1]) / (l[i] - l[i - 1]);
  }

  /** Returns the largest H with {@code H - f_r(H) <= down M}. */
  private double mostHosted(int rack, double seconds) {
    double may = receives(rack, seconds);
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
