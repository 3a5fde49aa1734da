// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import java.util.List;

/**
 * Decides how much longer an attempt takes for its work than the same work takes on a machine that
 * is not slow. The factor is a function of the attempt and its machine, not of the time. So the
 * first attempt of a task is equally slow on the same machine under every scheme, and schemes are
 * compared under the same conditions.
 */
public interface Slowness {
  /** Makes no attempt slow. */
  Slowness NONE =
      new Slowness() {
        @Override
        public double of(long phase, int task, int attempt, int machine) {
          return 1;
        }

        @Override
        public List<String> provenance() {
          return List.of("Slowness: none; tasks differ only in their data.");
        }
      };

  /**
   * Returns the factor of an attempt, above 0; 1 means neither slow nor fast.
   *
   * @param phase key of the phase in the whole workload, the same in each run
   * @param task index in the phase
   * @param attempt number of the attempt, from 0
   * @param machine on which the attempt runs, from 0
   */
  double of(long phase, int task, int attempt, int machine);

  /** Returns sentences for reports that say what is real, what is modelled, and how. */
  List<String> provenance();
}
