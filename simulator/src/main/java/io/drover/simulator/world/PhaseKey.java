// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

/**
 * Numbers the phases of a whole workload: the key is {@code (job << 8) | phase}. Jobs count from 0
 * in the order in which the workload lists them, so a phase has the same key in each run and under
 * each scheme.
 */
public final class PhaseKey {
  private static final int PHASE_BITS = 8;

  private PhaseKey() {}

  /**
   * Returns the key of a phase.
   *
   * @param job index of the job in the workload, from 0
   * @param phase index of the phase in its job, 0 to 255
   */
  public static long of(int job, int phase) {
    if (job < 0 || phase < 0 || phase >= 1 << PHASE_BITS) {
      throw new IllegalArgumentException(
          "job must be at least 0 and phase must lie in 0 to 255, not " + job + " and " + phase);
    }
    return ((long) job << PHASE_BITS) | phase;
  }

  /** Returns the index in its job, from 0, of the phase with that key. */
  public static int index(long key) {
    return (int) (key & ((1 << PHASE_BITS) - 1));
  }
}
