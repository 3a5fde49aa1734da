// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.protect.ProtectSettings;
import io.drover.simulator.engine.Actions;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.Output;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.TaskRun;
import io.drover.simulator.world.Losses;

/**
 * Mantri's protection of outputs by core and nothing else, so that what it gains can be set beside
 * {@link IdealRecompute} (Mantri section 6.5).
 */
public final class ProtectOnly implements Scheme {
  private final CoreProtection protection;

  /** With the constants of protection. */
  public ProtectOnly(ProtectSettings settings) {
    protection = new CoreProtection(settings);
  }

  @Override
  public String name() {
    return "protect-only";
  }

  /** What is made again is made elsewhere. */
  @Override
  public boolean hasAntiAffinity() {
    return true;
  }

  @Override
  public void outputsMayBeLost(Losses losses, int machines) {
    protection.outputsMayBeLost(losses, machines);
  }

  @Override
  public void kept(TaskRun task, Actions actions) {
    protection.kept(task, actions);
  }

  @Override
  public void missed(TaskRun task, Output lost, Actions actions) {
    protection.missed(task, lost, actions);
  }

  @Override
  public void ended(AttemptRun attempt) {
    protection.ended(attempt);
  }

  @Override
  public void ended(JobRun job) {
    protection.ended(job);
  }
}
