// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.clone.CloneSettings;
import io.drover.simulator.engine.Actions;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;

/** The common part of Dolly's two designs: clones for some jobs, and LATE for the others. */
abstract class CloningBesideLate implements Scheme {
  private final Scheme others = new Late(false);
  private final Cloning cloning;

  CloningBesideLate(CloneSettings settings) {
    cloning = new Cloning(settings.asPrinted());
  }

  final Cloning cloning() {
    return cloning;
  }

  @Override
  public final double firstScan(PhaseRun phase) {
    boolean left = cloning.leavesToOthers(phase.job().spec());
    return left ? others.firstScan(phase) : Double.POSITIVE_INFINITY;
  }

  @Override
  public final double scan(PhaseRun phase, Actions actions) {
    return others.scan(phase, actions);
  }

  @Override
  public final void ended(AttemptRun attempt) {
    cloning.ended(attempt);
    others.ended(attempt);
  }

  @Override
  public final void ended(JobRun job) {
    cloning.ended(job);
    others.ended(job);
  }
}
