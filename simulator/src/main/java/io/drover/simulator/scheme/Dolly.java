// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.clone.CloneSettings;
import io.drover.simulator.engine.PhaseRun;

/**
 * Dolly, task-level, by core: small jobs start with clones, as many as p asks for (section 3.1),
 * under the ceiling; the others are left to LATE, Dolly's own baseline (section 2). If large jobs
 * are to be cloned too, LATE stays with them for the tasks that have no clone.
 */
public final class Dolly extends CloningBesideLate {
  /** With a job's settings. */
  public Dolly(CloneSettings settings) {
    super(settings);
  }

  @Override
  public String name() {
    return "dolly";
  }

  @Override
  public int copiesFromTheStart(PhaseRun phase) {
    return cloning().copiesOfEachTask(phase);
  }
}
