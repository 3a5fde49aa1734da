// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Verifies what holds for every placement of any problem. If the placement's own bound is too loose
 * to tell, the best fractional bound is used.
 */
final class PlacementVerifier {
  private PlacementVerifier() {}

  static void verify(PlacementProblem problem, Placement placement, String what) {
    int[] racks = new int[problem.reduces()];
    for (int j = 0; j < racks.length; j++) {
      racks[j] = placement.rackOf(j);
    }
    double seconds = seconds(problem, racks);
    assertThat(seconds).as("%s: slots", what).isFinite();
    assertThat(placement.seconds()).as(what).isCloseTo(seconds, within(1e-6 * seconds));
    assertThat(placement.lowerBound())
        .as("%s: bound", what)
        .isLessThanOrEqualTo(seconds * (1 + 1e-9));
    double oneReduce = oneReduce(problem, racks, seconds) + 1e-9;
    double bound = placement.lowerBound();
    if (seconds > bound + oneReduce) {
      bound = FractionalPlacement.seconds(problem, seconds);
    }
    assertThat(seconds)
        .as("%s: bound and one reduce on its link", what)
        .isLessThanOrEqualTo(bound + oneReduce);
  }

  /** Returns the largest transfer of a reduce on the links that need as long as the value. */
  private static double oneReduce(PlacementProblem problem, int[] racks, double seconds) {
    double largest = 0;
    for (int r = 0; r < problem.racks(); r++) {
      double[] load = load(problem, racks, r);
      for (int j = 0; j < racks.length; j++) {
        if (load[0] >= seconds * (1 - 1e-6)) {
          largest = Math.max(largest, problem.input(j, r) * problem.secondsPerByteUp(r));
        }
        if (load[1] >= seconds * (1 - 1e-6)) {
          largest = Math.max(largest, problem.remote(j, r) * problem.secondsPerByteDown(r));
        }
      }
    }
    return largest;
  }

  /** Returns the time of the busiest link, or infinity if a rack has too few slots. */
  static double seconds(PlacementProblem problem, int[] racks) {
    double most = 0;
    for (int r = 0; r < problem.racks(); r++) {
      double[] load = load(problem, racks, r);
      boolean fits = load[2] <= problem.slots(r);
      most = Math.max(most, fits ? Math.max(load[0], load[1]) : Double.POSITIVE_INFINITY);
    }
    return most;
  }

  /** Returns the seconds of the uplink and of the downlink, and the slots taken. */
  private static double[] load(PlacementProblem problem, int[] racks, int rack) {
    double[] load = new double[3];
    for (int j = 0; j < racks.length; j++) {
      if (racks[j] == rack) {
        load[1] += problem.remote(j, rack) * problem.secondsPerByteDown(rack);
        load[2]++;
      } else {
        load[0] += problem.input(j, rack) * problem.secondsPerByteUp(rack);
      }
    }
    return load;
  }
}
