// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import java.util.List;

/** A cluster that loses nothing. */
final class NoLosses implements Losses {
  @Override
  public boolean concernOutputs() {
    return false;
  }

  @Override
  public double lostAt(long phase, int task, int attempt, int machine, double keptSince) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double failsAfter(int machine, double after) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double isBackAt(int machine, double failedAt) {
    throw new IllegalArgumentException("machine " + machine + " has not failed");
  }

  @Override
  public double evictedAfter(long phase, int task, int attempt) {
    return Double.POSITIVE_INFINITY;
  }

  @Override
  public double lossesPerSecond(int machine) {
    return 0;
  }

  @Override
  public List<String> provenance() {
    return List.of("Losses: none; no output is lost, no machine fails, no attempt is evicted.");
  }
}
