// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.simulator.engine.StepProgress;
import java.util.List;

/** Computes a table or figure of a paper with Drover's own policies and simulator. */
public interface Experiment {
  /** Returns the name on the command line: the paper and the number, such as {@code mantri-16}. */
  String name();

  /** Returns a line that says what is compared. */
  String title();

  /** Returns where it is printed: the paper, the section, and the figure or table. */
  String source();

  /** Returns the steps of {@link #run}, which reports the beginning and end of each. */
  List<String> steps();

  /** Runs the experiment. The same settings give the same result. */
  ExperimentResult run(ExperimentSettings settings);

  /**
   * The settings of an experiment.
   *
   * @param seed the seed of everything random
   * @param progress receives the progress
   */
  record ExperimentSettings(long seed, StepProgress progress) {
    /** Creates settings that report no progress. */
    public static ExperimentSettings of(long seed) {
      return new ExperimentSettings(seed, StepProgress.NONE);
    }
  }
}
