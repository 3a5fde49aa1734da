// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import java.util.Optional;

/** What one reduce has asked for of the output that it reads, and what it has still to ask for. */
interface FetchState {
  /** Share of the input that is worth a round of fetching, unless it is the last round. */
  double LEAST_ROUND = 0.1;

  /**
   * What is to be fetched next, which then counts as asked for.
   *
   * @return shares of the whole input by rack; empty if it is not worth a round yet
   */
  Optional<double[]> next(double now);

  /** Whether all of the input has been asked for. */
  boolean isComplete();
}
