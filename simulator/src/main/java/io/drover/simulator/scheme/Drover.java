// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.JobSettings;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.PhaseRun;
import java.util.Optional;

/**
 * Drover as it ships: clones for small jobs, under the ceiling; what remains is left to restarts
 * and copies, largest first, reduces placed. All of it by core, with the settings of an operator.
 */
public final class Drover implements Scheme {
  private final CoreRestart restart;
  private final CorePlacement placement;
  private final Dolly.Cloning cloning;

  /** With a job's settings. */
  public Drover(JobSettings settings) {
    restart = new CoreRestart(settings.restart());
    placement = new CorePlacement(settings.placement().shortShuffle().toMillis() / 1e3);
    cloning = new Dolly.Cloning(settings.clones());
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
    return true;
  }

  @Override
  public int copiesFromTheStart(PhaseRun phase) {
    return cloning.copies(phase);
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

  @Override
  public void ended(AttemptRun attempt) {
    cloning.ended(attempt);
  }

  @Override
  public void ended(JobRun job) {
    cloning.ended(job);
  }
}
