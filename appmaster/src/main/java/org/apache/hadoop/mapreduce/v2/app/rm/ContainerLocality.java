// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.util.RackResolver;

/**
 * Computes how near a container is to the places that an attempt asked for, as Hadoop's counters of
 * maps do.
 */
final class ContainerLocality {
  private static final List<JobCounter> NEAREST_FIRST =
      List.of(JobCounter.DATA_LOCAL_MAPS, JobCounter.RACK_LOCAL_MAPS, JobCounter.OTHER_LOCAL_MAPS);

  private ContainerLocality() {}

  /** Returns the rack of a host. */
  static String rack(String host) {
    return RackResolver.resolve(host).getNetworkLocation();
  }

  /** Returns whether a container is on a requested host, in a requested rack, or elsewhere. */
  static JobCounter of(Container container, ContainerRequest request) {
    String host = container.getNodeId().getHost();
    return of(host, rack(host), request);
  }

  private static JobCounter of(String host, String rack, ContainerRequest request) {
    if (Arrays.asList(request.hosts).contains(host)) {
      return JobCounter.DATA_LOCAL_MAPS;
    }
    return Arrays.asList(request.racks).contains(rack)
        ? JobCounter.RACK_LOCAL_MAPS
        : JobCounter.OTHER_LOCAL_MAPS;
  }

  /** Returns the request that a container is nearest to; of several, the first. */
  static Optional<ContainerRequest> nearest(
      Container container, Stream<ContainerRequest> requests) {
    return requests.min(nearestFirst(container));
  }

  /** Returns an order of requests: those on their host first, and then those in their rack. */
  static Comparator<ContainerRequest> nearestFirst(Container container) {
    String host = container.getNodeId().getHost();
    String rack = rack(host);
    return Comparator.comparingInt(request -> NEAREST_FIRST.indexOf(of(host, rack, request)));
  }
}
