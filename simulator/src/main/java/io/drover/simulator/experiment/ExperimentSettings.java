// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.simulator.engine.StepProgress;

/**
 * How an experiment is to be run.
 *
 * @param seed of all chance
 * @param progress hears how far it is
 */
public record ExperimentSettings(long seed, StepProgress progress) {
  /** With nobody who listens. */
  public static ExperimentSettings of(long seed) {
    return new ExperimentSettings(seed, StepProgress.NONE);
  }
}
