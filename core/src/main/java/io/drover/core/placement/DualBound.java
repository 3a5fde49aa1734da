// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.Arrays;

/**
 * Computes a lower bound on the busiest link's time, from the Lagrangian dual of the fractional
 * problem, in which reduces may be split between racks.
 *
 * <p>Let links have weights {@code w_l >= 0} and the slots of rack r a weight {@code v_r >= 0}. For
 * any placement of value M that respects the slots, and any M' &gt; 0,
 *
 * <pre>
 *   M sum w + M' sum v  &gt;=  sum_l w_l seconds_l + sum_r v_r M' taken_r / slots_r
 *                       &gt;=  sum_r wu_r output_r / up_r
 *                           + sum_j min_r ( wd_r remote_jr / down_r - wu_r input_jr / up_r + v_r M' / slots_r )
 * </pre>
 *
 * because each reduce costs at least as much as in its cheapest rack. So any weights give a bound.
 * Subgradient steps find good ones: with each reduce in its cheapest rack, the links that need more
 * than the bound and the racks with more reduces than slots gain weight, and the others lose some.
 * The steps have Polyak's length, with the value of a known placement as target. They become
 * shorter when they do not help.
 */
final class DualBound {
  /** The initial weight of a link is its time, as a share of the value, to this power. */
  private static final double FIRST_WEIGHT = 64;

  /** After this many steps without a better bound, the step length is halved. */
  private static final int PATIENCE = 30;

  /** The share of the previous direction that a step keeps. */
  private static final double MOMENTUM = 0.3;

  private final PlacementProblem problem;
  private final int racks;

  /** The value of the known placement, seconds: M' and Polyak's target. */
  private final double known;

  /** The weights of all uplinks, then downlinks, then slots. */
  private final double[] weight;

  private final double[] load;
  private final double[] direction;
  private final double[] costOfByte;
  private final double[] savedByLocalByte;
  private final double[] costOfSlot;

  /** M' divided by the number of slots, for each rack. */
  private final double[] slot;

  private DualBound(PlacementProblem problem, LinkLoads start) {
    this.problem = problem;
    racks = problem.racks();
    known = start.seconds();
    weight = new double[3 * racks];
    load = new double[3 * racks];
    direction = new double[3 * racks];
    costOfByte = new double[racks];
    savedByLocalByte = new double[racks];
    costOfSlot = new double[racks];
    slot = new double[racks];
    for (int r = 0; r < racks; r++) {
      weight[r] = Math.pow(start.upSeconds(r) / known, FIRST_WEIGHT);
      weight[racks + r] = Math.pow(start.downSeconds(r) / known, FIRST_WEIGHT);
      slot[r] = known / problem.slots(r);
    }
  }

  /**
   * Returns the bound after {@code steps} steps, seconds.
   *
   * @param start a placement; the better it is, the better the bound
   */
  static double of(PlacementProblem problem, LinkLoads start, long steps) {
    if (start.seconds() == 0) {
      return 0;
    }
    DualBound dual = new DualBound(problem, start);
    double best = 0;
    double length = 1;
    int idle = 0;
    for (long t = 0; t < steps; t++) {
      double bound = dual.evaluate();
      idle = bound > best ? 0 : idle + 1;
      if (idle == PATIENCE) {
        length /= 2;
        idle = 0;
      }
      best = Math.max(best, bound);
      dual.step(bound, length);
    }
    return best;
  }

  /** Returns the bound for these weights; sets the loads with each reduce in its cheapest rack. */
  private double evaluate() {
    normalise();
    Arrays.fill(load, 0);
    double bound = 0;
    for (int r = 0; r < racks; r++) {
      double up = weight[r] * problem.secondsPerByteUp(r);
      double down = weight[racks + r] * problem.secondsPerByteDown(r);
      costOfByte[r] = down;
      savedByLocalByte[r] = down + up;
      costOfSlot[r] =
          problem.slots(r) == 0 ? Double.POSITIVE_INFINITY : weight[2 * racks + r] * slot[r];
      load[r] = problem.output(r) * problem.secondsPerByteUp(r);
      bound += up * problem.output(r) - weight[2 * racks + r] * known;
    }
    for (int j = 0; j < problem.reduces(); j++) {
      bound += sendWhereCheapest(j);
    }
    return bound;
  }

  /** Scales the weights so that those of the links sum up to one. */
  private void normalise() {
    double sum = 0;
    for (int l = 0; l < 2 * racks; l++) {
      sum += weight[l];
    }
    for (int l = 0; l < weight.length; l++) {
      weight[l] /= sum;
    }
  }

  private double sendWhereCheapest(int reduce) {
    double[] input = problem.row(reduce);
    double size = problem.size(reduce);
    int cheapest = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int r = 0; r < input.length; r++) {
      double cost = costOfByte[r] * size - savedByLocalByte[r] * input[r] + costOfSlot[r];
      if (cost < least) {
        least = cost;
        cheapest = r;
      }
    }
    load[cheapest] -= input[cheapest] * problem.secondsPerByteUp(cheapest);
    load[racks + cheapest] +=
        problem.remote(reduce, cheapest) * problem.secondsPerByteDown(cheapest);
    load[2 * racks + cheapest] += slot[cheapest];
    return least;
  }

  private void step(double bound, double length) {
    double square = 0;
    for (int l = 0; l < weight.length; l++) {
      direction[l] = slope(l, bound) + MOMENTUM * direction[l];
      square += direction[l] * direction[l];
    }
    if (square == 0) {
      return; // the bound cannot be improved
    }
    double part = length * (known - bound) / square;
    for (int l = 0; l < weight.length; l++) {
      weight[l] = Math.max(0, weight[l] + part * direction[l]);
    }
  }

  /** Returns by how much the bound grows with a weight. */
  private double slope(int index, double bound) {
    boolean isLink = index < 2 * racks;
    if (!isLink && problem.slots(index - 2 * racks) == 0) {
      return 0; // no reduce goes there at any cost
    }
    double slope = load[index] - (isLink ? bound : known);
    return weight[index] == 0 ? Math.max(0, slope) : slope;
  }
}
