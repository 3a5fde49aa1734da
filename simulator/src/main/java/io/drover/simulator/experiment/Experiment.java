// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import java.util.List;

/** A table or figure of a paper, computed anew by Drover's own policies and simulator. */
public interface Experiment {
  /** What people type: the paper and the number of the figure, such as {@code mantri-16}. */
  String name();

  /** One line that says what is compared. */
  String title();

  /** Where it is printed: the paper, its section, the figure or table. */
  String source();

  /** What {@link #run} does, one after the other: it tells of the beginning and end of each. */
  List<String> steps();

  /** Computes all of it; the same settings give the same result. */
  ExperimentResult run(ExperimentSettings settings);
}
