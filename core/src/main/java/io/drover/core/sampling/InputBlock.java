// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.List;

/**
 * A block of a job's input, with the machines that can read it without the network.
 *
 * @param machines machines that hold it, on disk or in memory; empty if not known
 * @param racks racks of those machines
 */
public record InputBlock(List<String> machines, List<String> racks) {
  /** Removes duplicates. */
  public InputBlock {
    machines = machines.stream().distinct().toList();
    racks = racks.stream().distinct().toList();
  }

  /** Returns how near a task on a machine is to this block. */
  public BlockLocality nearness(String machine, String rack) {
    if (machines.contains(machine)) {
      return BlockLocality.MACHINE;
    }
    return racks.contains(rack) ? BlockLocality.RACK : BlockLocality.ELSEWHERE;
  }

  /** How near to its block a task runs. */
  public enum BlockLocality {
    /** On a machine that holds it. */
    MACHINE,
    /** On another machine of a rack that holds it. */
    RACK,
    /** Outside those racks. */
    ELSEWHERE
  }
}
