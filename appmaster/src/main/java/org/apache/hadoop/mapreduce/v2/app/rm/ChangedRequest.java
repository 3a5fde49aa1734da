// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import java.util.Collection;
import java.util.List;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.yarn.api.records.Priority;

/** Changes the request of an attempt that waits for a container. */
final class ChangedRequest {
  private ChangedRequest() {}

  /**
   * Asks for other hosts, and for their racks.
   *
   * @param old a request that waits
   */
  static void ask(DroverContainerAllocator allocator, ContainerRequest old, List<String> hosts) {
    List<String> racks = hosts.stream().map(ContainerLocality::rack).distinct().toList();
    ask(allocator, old, hosts, racks, old.requestTimeMs);
  }

  /**
   * Asks for other hosts and racks.
   *
   * @param old a request that waits
   * @param requestTimeMs since when the attempt counts as waiting
   */
  static void ask(
      DroverContainerAllocator allocator,
      ContainerRequest old,
      Collection<String> hosts,
      List<String> racks,
      long requestTimeMs) {
    ContainerRequest request =
        new ContainerRequest(
            old.attemptID,
            old.capability,
            hosts.toArray(String[]::new),
            racks.toArray(String[]::new),
            Priority.newInstance(old.priority.getPriority()),
            requestTimeMs,
            old.nodeLabelExpression);
    allocator.decContainerReq(old);
    allocator.pending(old.attemptID).put(old.attemptID, request);
    allocator.addContainerReq(request);
  }

  /** Has a request sent to the ResourceManager again, for any node too, as it is meant now. */
  static void sendAgain(DroverContainerAllocator allocator, ContainerRequest request) {
    allocator.decContainerReq(request);
    allocator.addContainerReq(request);
  }
}
