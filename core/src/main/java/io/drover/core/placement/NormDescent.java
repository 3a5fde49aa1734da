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
 * <p>For large p this is the busiest link, but unlike that it tells of every step, anywhere,
 * whether it does good. One reduce after the other, the largest first, goes to the rack where the
 * sum is least, or changes places with one there if that is better. p doubles every few sweeps:
 * first the load is spread over all links, then the busiest ones are relieved.
 */
final class NormDescent {
  /** p is 2 where nobody is placed yet, … */
  private static final int START_DOUBLINGS = 1;

  /** … 4 when all are, … */
  private static final int FIRST_DOUBLINGS = 2;

  /** … and 128 in the end: 1,000 links as busy as the busiest count for 5 % more than that. */
  private static final int LAST_DOUBLINGS = 7;

  /** Sweeps with one p; more of them gain little. */
  private static final int SWEEPS = 2;

  /** Reduces in racks whose terms are below this stay: the busiest rack's are about 1. */
  private static final double IDLE = 1e-9;

  private final PlacementProblem problem;
  private final LinkLoads loads;
  private final int racks;
  private final int[] order;

  /** Seconds of the links of each rack, and of a byte on them, as shares of the scale. */
  private final double[] up;

  private final double[] down;
  private final double[] byteUp;
  private final double[] byteDown;

  /** The terms of each rack in the sum. */
  private final double[] term;

  /** By how much they grow with a byte more on its uplink, or its downlink, at first. */
  private final double[] slopeUp;

  private final double[] slopeDown;

  /** By how much they grow if the reduce looked at comes there. */
  private final double[] change;

  private final double[] downWith;
  private double scale;
  private int doublings;

  /**
   * A descent.
   *
   * @param loads where nobody is placed yet
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

  /** The p-th power. */
  private double power(double base) {
    double x = base;
    for (int i = 0; i < doublings; i++) {
      x *= x;
    }
    return x;
  }

  /** The derivative of a p-th power. */
  private double slope(double base, double power) {
    return power == 0 ? 0 : (1 << doublings) * (power / base);
  }

  /** A rack's terms if it sent and received so many bytes more. */
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
   * Of 1,000 reduces in 100 racks that are looked at again and again, those in idle racks take a
   * quarter of the time, and bring 0.05 % of the value.
   */
  private boolean isWorthALook(int reduce) {
    int rack = loads.rackOf(reduce);
    return rack == LinkLoads.NOWHERE || term[rack] >= IDLE;
  }

  /** Brings a reduce to where the sum is least; false if it is there. */
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

  /**
   * The rack, other than that one, to which the reduce looked at adds least; -1 if there is none.
   */
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

  /** In loops over arrays, which the compiler turns into vector instructions. */
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
   * Swaps a reduce with one in another rack if the sum falls by more than that. The sum is convex:
   * by more than its slope promises it will not fall, so that few swaps have to be worked out, and
   * of most of those one rack only.
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

  /** By how much a rack's terms fall at most if one reduce leaves it and the other comes. */
  private double promise(int rack, int leaves, int comes) {
    double stays = problem.input(comes, rack) - problem.input(leaves, rack);
    double received = problem.size(comes) - problem.size(leaves) - stays;
    return slopeUp[rack] * stays - slopeDown[rack] * received;
  }

  /** By how much they fall. */
  private double gain(int rack, int leaves, int comes) {
    return term[rack]
        - term(
            rack,
            problem.input(leaves, rack) - problem.input(comes, rack),
            problem.remote(comes, rack) - problem.remote(leaves, rack));
  }
}
