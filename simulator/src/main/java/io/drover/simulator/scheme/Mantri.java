// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.JobSettings;
import io.drover.simulator.engine.PhaseRun;
import java.util.Optional;

/**
 * Mantri, by core: restart and duplicate where it pays, prune, largest first, reduces placed
 * (sections 5.1, 5.2, 5.4).
 */
public final class Mantri implements Scheme {
  private final CoreRestart restart;
  private final CorePlacement placement;

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
  public boolean keepsApart() {
    return true;
  }

  @Override
  public Optional<int[]> racks(PhaseRun phase, Network network) {
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
}
