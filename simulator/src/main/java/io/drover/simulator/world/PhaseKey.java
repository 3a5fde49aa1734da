// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

/**
 * The number that names a phase in a whole workload: {@code (job << 8) | phase}. Jobs count from 0
 * in the order in which the workload gives them, so the number is the same in each run and under
 * each scheme.
 */
public final class PhaseKey {
  private static final int PHASE_BITS = 8;

  private PhaseKey() {}

  /**
   * The key of a phase.
   *
   * @param job index of the job in the workload, from 0
   * @param phase index of the phase in its job, 0 to 255
   */
  public static long of(int job, int phase) {
    if (job < 0 || phase < 0 || phase >= 1 << PHASE_BITS) {
      throw new IllegalArgumentException(
          "a job counts from 0 and its phases from 0 to 255, not " + job + " and " + phase);
    }
    return ((long) job << PHASE_BITS) | phase;
  }

  /** The index in its job of the phase with that key, from 0. */
  public static int index(long key) {
    return (int) (key & ((1 << PHASE_BITS) - 1));
  }
}
