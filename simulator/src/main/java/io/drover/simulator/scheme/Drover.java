// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
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
 * Drover as it ships: clones for small jobs, under the ceiling; what remains is left to restarts
 * and copies, largest first, reduces placed; slower attempts ended. All of it by core, with the
 * settings of an operator: what is not {@code on} is not done. Where outputs can be lost they are
 * protected as by {@link Mantri}; that has no setting yet, and no cluster does it yet.
 */
public final class Drover implements Scheme {
  private final CoreRestart restart;
  private final CorePlacement placement;
  private final Cloning cloning;
  private final CoreProtection protection = new CoreProtection(ProtectSettings.DEFAULT);
  private final boolean restarts;
  private final boolean places;
  private final boolean clones;
  private final boolean orders;
  private final boolean hasAntiAffinity;

  /** With a job's settings. */
  public Drover(JobSettings settings) {
    cloning = new Cloning(settings.clones());
    restart = new CoreRestart(settings.restart(), cloning::endedAsSlower);
    placement = new CorePlacement(settings.placement());
    restarts = settings.restartMode() == Mode.ON;
    places = settings.placementMode() == Mode.ON;
    clones = settings.cloneMode() == Mode.ON;
    orders = settings.orderMode() == Mode.ON;
    hasAntiAffinity = settings.antiAffinityMode() == Mode.ON;
  }

  @Override
  public String name() {
    return "drover";
  }

  @Override
  public boolean asksCore() {
    return true;
  }

  @Override
  public boolean largestFirst() {
    return orders;
  }

  @Override
  public boolean hasAntiAffinity() {
    return hasAntiAffinity;
  }

  @Override
  public int copiesFromTheStart(PhaseRun phase) {
    return clones ? cloning.copiesOfEachTask(phase) : 1;
  }

  @Override
  public Optional<int[]> racks(PhaseRun phase, NetworkEstimate network) {
    return places ? Optional.of(placement.racks(phase, network)) : Optional.empty();
  }

  @Override
  public double firstScan(PhaseRun phase) {
    return restarts ? phase.period() : Double.POSITIVE_INFINITY;
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
    cloning.ended(attempt);
    protection.ended(attempt);
  }

  @Override
  public void ended(JobRun job) {
    cloning.ended(job);
    protection.ended(job);
  }
}
