// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import org.apache.hadoop.yarn.api.records.Resource;

/** Knows which machines are closed, so that they get no new containers. Never blocks. */
public interface OpenMachines {
  /** Returns whether a machine is closed. */
  boolean isClosed(String machine);

  /**
   * Returns whether a container of a size fits on a machine of a partition that is not closed, once
   * that is empty. If none is large enough, the container may run on a closed one.
   */
  boolean fitsOnOpen(String partition, Resource size);

  /** Returns the free room of a partition's closed machines. */
  Resource closedRoom(String partition);
}
