// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import java.util.List;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.yarn.api.records.Priority;

/** Replaces the request of a map that waits for a container by one for other hosts. */
final class ChangedRequest {
  private ChangedRequest() {}

  /**
   * Asks for other hosts, and for their racks.
   *
   * @param old a request that waits
   */
  static void ask(DroverContainerAllocator allocator, ContainerRequest old, List<String> hosts) {
    ContainerRequest request =
        new ContainerRequest(
            old.attemptID,
            old.capability,
            hosts.toArray(String[]::new),
            hosts.stream().map(ContainerLocality::rack).distinct().toArray(String[]::new),
            Priority.newInstance(old.priority.getPriority()),
            old.requestTimeMs,
            old.nodeLabelExpression);
    allocator.decContainerReq(old);
    allocator.pending(old.attemptID).put(old.attemptID, request);
    allocator.addContainerReq(request);
  }
}
