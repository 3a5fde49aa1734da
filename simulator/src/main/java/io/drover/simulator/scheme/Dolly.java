// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.clone.CloneSettings;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.PhaseRun;

/**
 * Dolly, task-level, by core: small jobs start with clones, as many as p asks for (section 3.1),
 * under the ceiling; the others are left to LATE, Dolly's own baseline (section 2). If large jobs
 * are to be cloned too, LATE stays with them for the tasks that have no clone.
 */
public final class Dolly implements Scheme {
  private final Scheme others = new Late(false);
  private final Cloning cloning;

  /** With a job's settings. */
  public Dolly(CloneSettings settings) {
    cloning = new Cloning(settings);
  }

  @Override
  public String name() {
    return "dolly";
  }

  @Override
  public int copiesFromTheStart(PhaseRun phase) {
    return cloning.copiesOfEachTask(phase.job().spec());
  }

  @Override
  public double firstScan(PhaseRun phase) {
    boolean left = cloning.leavesToOthers(phase.job().spec());
    return left ? others.firstScan(phase) : Double.POSITIVE_INFINITY;
  }

  @Override
  public double scan(PhaseRun phase, Actions actions) {
    return others.scan(phase, actions);
  }

  @Override
  public void ended(AttemptRun attempt) {
    cloning.ended(attempt);
    others.ended(attempt);
  }

  @Override
  public void ended(JobRun job) {
    cloning.ended(job);
    others.ended(job);
  }
}
