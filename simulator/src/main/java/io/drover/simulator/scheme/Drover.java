// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import io.drover.core.sampling.SamplingSettings;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.PhaseRun;

/**
 * Drover as it ships: it clones small jobs under the ceiling, restarts and copies the remaining
 * outliers, starts the largest tasks first, places reduces, and ends slower attempts. Jobs that
 * sample get their blocks and choose their outputs as under {@link Kmn}. If outputs can be lost,
 * they are protected as by {@link Mantri}. Core decides all of it with an operator's settings;
 * features that are not {@code on} are left out.
 */
public final class Drover extends CoreScheme {
  private final Cloning cloning;
  private final boolean clones;

  /** Creates the scheme with a job's settings, and those of jobs that sample. */
  public Drover(JobSettings settings, SamplingSettings sampling) {
    super("drover");
    cloning = new Cloning(settings.clones());
    clones = settings.cloneMode() == Mode.ON;
    keepsModels();
    samplesBy(new CoreSampling(sampling));
    if (settings.restartMode() == Mode.ON) {
      restartsBy(new CoreRestart(settings.restart(), cloning::endedAsSlower));
    }
    if (settings.placementMode() == Mode.ON) {
      placesBy(new CorePlacement(settings.placement()));
    }
    if (settings.protectMode() == Mode.ON) {
      protectsBy(new CoreProtection(settings.protect()));
    }
    if (settings.orderMode() == Mode.ON) {
      ordersLargestFirst();
    }
    if (settings.antiAffinityMode() == Mode.ON) {
      keepsCopiesApart();
    }
  }

  @Override
  public int copiesFromTheStart(PhaseRun phase) {
    return clones ? cloning.copiesOfEachTask(phase) : 1;
  }

  @Override
  public void ended(AttemptRun attempt) {
    cloning.ended(attempt);
    super.ended(attempt);
  }

  @Override
  public void ended(JobRun job) {
    cloning.ended(job);
    super.ended(job);
  }
}
