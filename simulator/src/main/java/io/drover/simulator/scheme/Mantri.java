// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.JobSettings;
import io.drover.core.protect.ProtectSettings;
import io.drover.simulator.engine.Actions;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.NetworkEstimate;
import io.drover.simulator.engine.Output;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.TaskRun;
import io.drover.simulator.world.Losses;
import java.util.Optional;

/**
 * Mantri, by core: restart and duplicate where it pays, prune, largest first, reduces placed, and
 * outputs replicated and made again before they are missed (sections 5.1 to 5.4).
 */
public final class Mantri implements Scheme {
  private final CoreRestart restart;
  private final CorePlacement placement;
  private final CoreProtection protection = new CoreProtection(ProtectSettings.DEFAULT);

  /** With a job's settings. */
  public Mantri(JobSettings settings) {
    restart = new CoreRestart(settings.restart());
    placement = new CorePlacement(settings.placement());
  }

  @Override
  public String name() {
    return "mantri";
  }

  @Override
  public boolean asksCore() {
    return true;
  }

  @Override
  public boolean largestFirst() {
    return true;
  }

  @Override
  public boolean hasAntiAffinity() {
    return true;
  }

  @Override
  public Optional<int[]> racks(PhaseRun phase, NetworkEstimate network) {
    return Optional.of(placement.racks(phase, network));
  }

  @Override
  public double firstScan(PhaseRun phase) {
    return phase.period();
  }

  @Override
  public double scan(PhaseRun phase, Actions actions) {
    restart.scan(phase, actions);
    return phase.period();
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
