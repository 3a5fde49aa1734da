// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.Arrays;

/**
 * Computes a placement by descent in the p-norm of the links' times:
 *
 * <pre>
 *   minimise  sum over racks r of  ( up seconds_r / scale )^p + ( down seconds_r / scale )^p
 * </pre>
 *
 * <p>For large p this is the busiest link. Unlike the busiest link alone, it shows for every step
 * at any rack whether the step helps. One reduce after the other, the largest first, moves to the
 * rack where the sum is least, or swaps places with a reduce there if that is better. p doubles
 * every few sweeps: first the load is spread over all links, then the busiest ones are relieved.
 */
final class NormDescent {
  /** p is 2 until all reduces are placed, … */
  private static final int START_DOUBLINGS = 1;

  /** … then 4, … */
  private static final int FIRST_DOUBLINGS = 2;

  /** … and 128 in the end: 1,000 links as busy as the busiest one raise the norm by only 5 %. */
  private static final int LAST_DOUBLINGS = 7;

  /** Sweeps with one p; more of them gain little. */
  private static final int SWEEPS = 2;

  /** Reduces stay if the terms of their rack are below this; the busiest rack's are about 1. */
  private static final double IDLE = 1e-9;

  private final PlacementProblem problem;
  private final LinkLoads loads;
  private final int racks;
  private final int[] order;

  /** The times of each rack's links, and the time of one byte on them, divided by the scale. */
  private final double[] up;

  private final double[] down;
  private final double[] byteUp;
  private final double[] byteDown;

  /** The terms of each rack in the sum. */
  private final double[] term;

  /** The initial growth of the terms per additional byte on the rack's uplink or downlink. */
  private final double[] slopeUp;

  private final double[] slopeDown;

  /** The growth of each rack's terms if the current reduce moves there. */
  private final double[] change;

  private final double[] downWith;
  private double scale;
  private int doublings;

  /**
   * Creates a descent.
   *
   * @param loads loads without any placed reduce
   */
  NormDescent(PlacementProblem problem, LinkLoads loads) {
    this.problem = problem;
    this.loads = loads;
    racks = problem.racks();
    order = largestFirst(problem);
    up = new double[racks];
    down = new double[racks];
    byteUp = new double[racks];
    byteDown = new double[racks];
    term = new double[racks];
    slopeUp = new double[racks];
    slopeDown = new double[racks];
    change = new double[racks];
    downWith = new double[racks];
  }

  private static int[] largestFirst(PlacementProblem problem) {
    Integer[] order = new Integer[problem.reduces()];
    Arrays.setAll(order, j -> j);
    Arrays.sort(order, (a, b) -> Double.compare(problem.size(b), problem.size(a)));
    return Arrays.stream(order).mapToInt(j -> j).toArray();
  }

  /** Places every reduce. */
  void start() {
    double longest = problem.longest();
    sharpen(START_DOUBLINGS, longest > 0 ? longest : 1);
    sweep();
  }

  /**
   * Improves the placement.
   *
   * @param goodEnough a value, seconds, that needs no improvement
   */
  void run(double goodEnough) {
    for (int k = FIRST_DOUBLINGS; k <= LAST_DOUBLINGS && loads.seconds() > goodEnough; k++) {
      sharpen(k, loads.seconds());
      boolean moved = true;
      for (int i = 0; i < SWEEPS && moved; i++) {
        moved = sweep();
      }
    }
  }

  private void sharpen(int toDoublings, double toScale) {
    doublings = toDoublings;
    scale = toScale;
    for (int r = 0; r < racks; r++) {
      byteUp[r] = problem.secondsPerByteUp(r) / scale;
      byteDown[r] = problem.secondsPerByteDown(r) / scale;
      refresh(r);
    }
  }

  private void refresh(int rack) {
    up[rack] = loads.upSeconds(rack) / scale;
    down[rack] = loads.downSeconds(rack) / scale;
    double x = power(up[rack]);
    double y = power(down[rack]);
    term[rack] = x + y;
    slopeUp[rack] = slope(up[rack], x) * byteUp[rack];
    slopeDown[rack] = slope(down[rack], y) * byteDown[rack];
  }

  /** Returns the p-th power. */
  private double power(double base) {
    double x = base;
    for (int i = 0; i < doublings; i++) {
      x *= x;
    }
    return x;
  }

  /** Returns the derivative of a p-th power. */
  private double slope(double base, double power) {
    return power == 0 ? 0 : (1 << doublings) * (power / base);
  }

  /** Returns a rack's terms if it sent and received that many more bytes. */
  private double term(int rack, double sent, double received) {
    return power(up[rack] + sent * byteUp[rack]) + power(down[rack] + received * byteDown[rack]);
  }

  private boolean sweep() {
    boolean moved = false;
    for (int j : order) {
      moved |= isWorthALook(j) && settle(j);
    }
    return moved;
  }

  /**
   * Returns whether a reduce is worth another try. With 1,000 reduces in 100 racks, those in idle
   * racks take a quarter of the time and improve the value by 0.05 %.
   */
  private boolean isWorthALook(int reduce) {
    int rack = loads.rackOf(reduce);
    return rack == LinkLoads.NOWHERE || term[rack] >= IDLE;
  }

  /** Moves a reduce to where the sum is least; returns false if it is there already. */
  private boolean settle(int reduce) {
    lookAt(reduce);
    int from = loads.rackOf(reduce);
    int best = best(from, false);
    int open = best >= 0 && !loads.hasRoom(best) ? best(from, true) : best;
    if (from == LinkLoads.NOWHERE) {
      loads.put(reduce, open);
      refresh(open);
      return true;
    }
    double saved =
        term[from] - term(from, problem.input(reduce, from), -problem.remote(reduce, from));
    double worthwhile = LocalSearch.SAME * term[from];
    boolean moves = open >= 0 && saved - change[open] > worthwhile;
    double gain = moves ? saved - change[open] : worthwhile;
    if (best >= 0 && !(moves && open == best) && swap(reduce, best, gain)) {
      return true;
    }
    if (moves) {
      loads.move(reduce, open);
      refresh(from);
      refresh(open);
    }
    return moves;
  }

  /** Returns the rack, other than {@code except}, to which the current reduce adds least; or -1. */
  private int best(int except, boolean withRoom) {
    int best = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int r = 0; r < racks; r++) {
      if (change[r] < least && r != except && (!withRoom || loads.hasRoom(r))) {
        least = change[r];
        best = r;
      }
    }
    return best;
  }

  /** Computes {@code change}, in loops over arrays that the compiler vectorises. */
  private void lookAt(int reduce) {
    double[] input = problem.row(reduce);
    double size = problem.size(reduce);
    for (int r = 0; r < racks; r++) {
      double x = up[r] - input[r] * byteUp[r];
      double y = down[r] + (size - input[r]) * byteDown[r];
      change[r] = x * x;
      downWith[r] = y * y;
    }
    for (int i = 2; i < doublings; i += 2) {
      squareTwice(change, downWith);
    }
    if (doublings % 2 == 0) {
      square(change, downWith);
    }
    for (int r = 0; r < racks; r++) {
      change[r] += downWith[r] - term[r];
    }
  }

  private static void squareTwice(double[] some, double[] others) {
    for (int r = 0; r < some.length; r++) {
      double x = some[r] * some[r];
      double y = others[r] * others[r];
      some[r] = x * x;
      others[r] = y * y;
    }
  }

  private static void square(double[] some, double[] others) {
    for (int r = 0; r < some.length; r++) {
      some[r] *= some[r];
      others[r] *= others[r];
    }
  }

  /**
   * Swaps a reduce with one in another rack if the sum falls by more than {@code worthwhile}. The
   * sum is convex, so it falls by at most what its slope promises. So only few swaps have to be
   * computed, and most of those for one rack only.
   */
  private boolean swap(int reduce, int rack, double worthwhile) {
    int from = loads.rackOf(reduce);
    double most = worthwhile;
    int with = -1;
    for (int i = 0; i < loads.count(rack); i++) {
      int other = loads.member(rack, i);
      double promised = promise(rack, other, reduce);
      if (promise(from, reduce, other) + promised > most) {
        double gain = gain(from, reduce, other);
        gain = gain + promised > most ? gain + gain(rack, other, reduce) : most;
        if (gain > most) {
          most = gain;
          with = other;
        }
      }
    }
    if (with >= 0) {
      loads.swap(reduce, with);
      refresh(from);
      refresh(rack);
    }
    return with >= 0;
  }

  /** Returns the largest possible fall of a rack's terms if one reduce replaces another. */
  private double promise(int rack, int leaves, int comes) {
    double stays = problem.input(comes, rack) - problem.input(leaves, rack);
    double received = problem.size(comes) - problem.size(leaves) - stays;
    return slopeUp[rack] * stays - slopeDown[rack] * received;
  }

  /** Returns by how much the terms fall. */
  private double gain(int rack, int leaves, int comes) {
    return term[rack]
        - term(
            rack,
            problem.input(leaves, rack) - problem.input(comes, rack),
            problem.remote(comes, rack) - problem.remote(leaves, rack));
  }
}
