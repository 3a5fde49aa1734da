// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.clone.CloneSettings;
import io.drover.simulator.engine.PhaseRun;

/**
 * Task-level Dolly, implemented by core. Small jobs start with as many clones as p requires
 * (section 3.1), under the ceiling. The others are left to LATE, Dolly's own baseline (section 2).
 * If large jobs are cloned too, LATE still helps their tasks that have no clone.
 */
public final class Dolly extends CloningBesideLate {
  /** Creates the scheme with the settings of cloning. */
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
