// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

import java.util.List;

/**
 * How much longer an attempt takes for its work than the same work takes on a machine that is not
 * slow. It is a function of who asks, not of when: the first attempt of a task is as slow under one
 * scheme as under another, so that schemes are compared on the same ill luck.
 */
public interface Slowness {
  /**
   * The factor of an attempt, above 0; 1 for one that is neither slow nor fast.
   *
   * @param phase a number that names the phase in the whole workload, the same in each run
   * @param task index in the phase
   * @param attempt number of the attempt, from 0
   * @param machine where it runs, from 0
   */
  double of(long phase, int task, int attempt, int machine);

  /** What of it is real and what is modelled, and by what: sentences for people. */
  List<String> provenance();
}
