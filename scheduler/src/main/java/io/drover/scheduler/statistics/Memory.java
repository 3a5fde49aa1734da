// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.core.machine.MachineSnapshot;
import io.drover.core.machine.RackBandwidths;

/**
 * What outlives a ResourceManager.
 *
 * @param machines what is known of them
 * @param links what jobs have said of them
 * @param at when it was written, by {@link SteadySeconds}; null in a snapshot of an older version
 * @param wall when it was written, by the machine's clock; likewise
 */
record Memory(MachineSnapshot machines, RackBandwidths.Snapshot links, Double at, Double wall) {
  Memory {
    if (machines == null || links == null) {
      throw new IllegalArgumentException("machines and links must be there");
    }
    if ((at != null && !Double.isFinite(at)) || (wall != null && !Double.isFinite(wall))) {
      throw new IllegalArgumentException("times must be numbers of seconds");
    }
  }

  /** When it was written, by the clock that its figures are of. */
  double writtenAt() {
    return at == null ? machines.at() : at;
  }

  /** The same by the machine's clock. */
  double writtenAtByTheWall() {
    return wall == null ? writtenAt() : wall;
  }
}
