// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import java.util.List;
import java.util.Map;

/**
 * Slowness as a job history recorded it: the first attempt of a task is as slow as the task really
 * was, so that a replay without any scheme gives the recorded durations. Later attempts, which the
 * history does not know, are as slow as one of the attempts of the same phase, drawn by chance.
 *
 * <p>Departure: the recorded slowness stays with the first attempt wherever it runs, though some of
 * it may have come from the machine or the time.
 */
public final class HistorySlowness implements Slowness {
  private final Map<Long, double[]> factors;
  private final long seed;

  /**
   * Slowness out of observed factors.
   *
   * @param factors by {@link PhaseKey}, of each task in the order of the workload, above 0; the
   *     arrays are kept, not copied
   */
  public HistorySlowness(Map<Long, double[]> factors, long seed) {
    this.factors = Map.copyOf(factors);
    this.seed = seed;
  }

  /**
   * The factor of an attempt. Of a task that the history has not, since it reads a block that the
   * job did not select, it is drawn as of a later attempt.
   *
   * @throws IllegalArgumentException if the history has no such phase: the slowness of a history
   *     belongs to the workload of the same history
   */
  @Override
  public double of(long phase, int task, int attempt, int machine) {
    double[] observed = factors.get(phase);
    if (observed == null) {
      throw new IllegalArgumentException("the history has no phase with the key " + phase);
    }
    return attempt == 0 && task < observed.length
        ? observed[task]
        : Draws.oneOf(Draws.key(seed, phase, task, attempt), observed);
  }

  @Override
  public List<String> provenance() {
    return List.of(
        "Slowness of first attempts: real, the recorded duration over what the phase's median rate"
            + " gives for the task's bytes.",
        "Slowness of later attempts: drawn from the real factors of the same phase.",
        "Slowness of machines and contention in time: not modelled apart; what there was of them is"
            + " in the recorded durations.");
  }
}
