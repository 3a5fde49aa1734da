// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.Arrays;

/**
 * A lower bound on what the busiest link needs: the fractional problem, in which reduces may be
 * split between racks, by its Lagrangian dual.
 *
 * <p>Let links weigh {@code w_l >= 0} and the slots of rack r {@code v_r >= 0}. For any placement
 * of value M that keeps to the slots, and any M' &gt; 0,
 *
 * <pre>
 *   M sum w + M' sum v  &gt;=  sum_l w_l seconds_l + sum_r v_r M' taken_r / slots_r
 *                       &gt;=  sum_r wu_r output_r / up_r
 *                           + sum_j min_r ( wd_r remote_jr / down_r - wu_r input_jr / up_r + v_r M' / slots_r )
 * </pre>
 *
 * since each reduce costs at least what it costs where it is cheapest. So any weights give a bound.
 * Good ones are those of the links that are busy when the load is spread as well as can be, and
 * that is found by the Frank-Wolfe method on a smooth maximum: weigh the links by how busy they
 * are, send each reduce where it is cheapest, and shift part of the load there; how much, a line
 * search says.
 */
final class DualBound {
  private static final int LINE_SEARCH_STEPS = 24;

  /** A link that is busier by M'/sharpness weighs e times as much; it grows from step to step. */
  private static final double SHARPNESS_FROM = 20;

  private static final double SHARPNESS_TO = 400;

  private final PlacementProblem problem;
  private final int racks;
  private final double scale;

  /** Seconds of the uplinks, seconds of the downlinks, and slots taken as a share of M'. */
  private final double[] load;

  private final double[] target;
  private final double[] weight;
  private final double[] costOfByte;
  private final double[] savedByLocalByte;
  private final double[] costOfSlot;
  private double best;

  private DualBound(PlacementProblem problem, LinkLoads start) {
    this.problem = problem;
    racks = problem.racks();
    scale = start.seconds();
    load = new double[3 * racks];
    target = new double[3 * racks];
    weight = new double[3 * racks];
    costOfByte = new double[racks];
    savedByLocalByte = new double[racks];
    costOfSlot = new double[racks];
    for (int r = 0; r < racks; r++) {
      load[r] = start.upSeconds(r);
      load[racks + r] = start.downSeconds(r);
      load[2 * racks + r] = share(r, start.count(r));
    }
  }

  /**
   * The bound after so many steps, seconds.
   *
   * @param start a placement; the better it is, the better the bound
   */
  static double of(PlacementProblem problem, LinkLoads start, int steps) {
    DualBound bound = new DualBound(problem, start);
    if (bound.scale == 0) {
      return 0;
    }
    for (int t = 0; t < steps; t++) {
      bound.step(SHARPNESS_FROM * Math.pow(SHARPNESS_TO / SHARPNESS_FROM, (double) t / steps));
    }
    return bound.best;
  }

  private double share(int rack, double taken) {
    return problem.slots(rack) == 0 ? 0 : scale * taken / problem.slots(rack);
  }

  private void step(double sharpness) {
    weigh(sharpness);
    double value = 0;
    double linkWeight = 0;
    double slotWeight = 0;
    for (int r = 0; r < racks; r++) {
      double up = weight[r] * problem.secondsPerByteUp(r);
      double down = weight[racks + r] * problem.secondsPerByteDown(r);
      boolean closed = problem.slots(r) == 0;
      double slot = closed ? 0 : weight[2 * racks + r];
      costOfByte[r] = down;
      savedByLocalByte[r] = down + up;
      costOfSlot[r] = closed ? Double.POSITIVE_INFINITY : slot * share(r, 1);
      value += up * problem.output(r);
      linkWeight += weight[r] + weight[racks + r];
      slotWeight += slot;
      target[r] = problem.output(r) * problem.secondsPerByteUp(r);
    }
    Arrays.fill(target, racks, 3 * racks, 0);
    for (int j = 0; j < problem.reduces(); j++) {
      value += sendWhereCheapest(j);
    }
    best = Math.max(best, (value - slotWeight * scale) / linkWeight);
    shift(sharpness);
  }

  private void weigh(double sharpness) {
    double most = Arrays.stream(load).max().orElse(0);
    for (int l = 0; l < load.length; l++) {
      weight[l] = Math.exp(sharpness * (load[l] - most) / scale);
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
    target[cheapest] -= input[cheapest] * problem.secondsPerByteUp(cheapest);
    target[racks + cheapest] +=
        problem.remote(reduce, cheapest) * problem.secondsPerByteDown(cheapest);
    target[2 * racks + cheapest] += share(cheapest, 1);
    return least;
  }

  /** Shifts the part of the load that makes the smooth maximum least. */
  private void shift(double sharpness) {
    double low = 0;
    double high = 1;
    for (int i = 0; i < LINE_SEARCH_STEPS; i++) {
      double middle = (low + high) / 2;
      if (slope(middle, sharpness) > 0) {
        high = middle;
      } else {
        low = middle;
      }
    }
    for (int l = 0; l < load.length; l++) {
      load[l] += low * (target[l] - load[l]);
    }
  }

  /** The sign of the smooth maximum's derivative after a shift of that part. */
  private double slope(double part, double sharpness) {
    double most = 0;
    for (int l = 0; l < load.length; l++) {
      most = Math.max(most, load[l] + part * (target[l] - load[l]));
    }
    double slope = 0;
    for (int l = 0; l < load.length; l++) {
      double at = load[l] + part * (target[l] - load[l]);
      slope += Math.exp(sharpness * (at - most) / scale) * (target[l] - load[l]);
    }
    return slope;
  }
}
