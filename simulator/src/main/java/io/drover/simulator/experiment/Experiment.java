// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.simulator.engine.StepProgress;
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

  /**
   * How an experiment is to be run.
   *
   * @param seed of all chance
   * @param progress hears how far it is
   */
  record ExperimentSettings(long seed, StepProgress progress) {
    /** With nobody who listens. */
    public static ExperimentSettings of(long seed) {
      return new ExperimentSettings(seed, StepProgress.NONE);
    }
  }
}
