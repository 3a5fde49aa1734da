// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import io.drover.core.protect.ProtectSettings;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.PhaseRun;

/**
 * Drover as it ships: clones for small jobs, under the ceiling; what remains is left to restarts
 * and copies, largest first, reduces placed; slower attempts ended. All of it by core, with the
 * settings of an operator: what is not {@code on} is not done. Where outputs can be lost they are
 * protected as by {@link Mantri}; that has no setting yet, and no cluster does it yet.
 */
public final class Drover extends CoreScheme {
  private final Cloning cloning;
  private final boolean clones;

  /** With a job's settings. */
  public Drover(JobSettings settings) {
    super("drover");
    cloning = new Cloning(settings.clones());
    clones = settings.cloneMode() == Mode.ON;
    keepsModels();
    protectsBy(new CoreProtection(ProtectSettings.DEFAULT));
    if (settings.restartMode() == Mode.ON) {
      restartsBy(new CoreRestart(settings.restart(), cloning::endedAsSlower));
    }
    if (settings.placementMode() == Mode.ON) {
      placesBy(new CorePlacement(settings.placement()));
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
