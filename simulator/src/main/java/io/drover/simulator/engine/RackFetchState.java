// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import java.util.Optional;

/** Where nothing is lost it is enough to know how much has come from each rack. */
final class RackFetchState implements FetchState {
  private final PhaseRun source;
  private final double[] asked;

  RackFetchState(PhaseRun source, int racks) {
    this.source = source;
    this.asked = new double[racks];
  }

  @Override
  public Optional<double[]> next(double now) {
    double[] share = new double[asked.length];
    double all = 0;
    for (int rack = 0; rack < share.length; rack++) {
      share[rack] = source.shares().in(rack) - asked[rack];
      all += share[rack];
    }
    if (!source.isDone() && all < LEAST_ROUND) {
      return Optional.empty();
    }
    for (int rack = 0; rack < share.length; rack++) {
      asked[rack] = source.shares().in(rack);
    }
    return Optional.of(share);
  }

  @Override
  public boolean isComplete() {
    for (int rack = 0; rack < asked.length; rack++) {
      if (asked[rack] != source.shares().in(rack)) {
        return false;
      }
    }
    return source.isDone();
  }
}
