// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.core.machine.MachineSnapshot;
import io.drover.core.machine.RackBandwidths;

/**
 * What outlives a ResourceManager.
 *
 * @param machines what is known of them
 * @param links what jobs have said of them
 */
record Memory(MachineSnapshot machines, RackBandwidths.Snapshot links) {
  Memory {
    if (machines == null || links == null) {
      throw new IllegalArgumentException("machines and links must be there");
    }
  }
}
