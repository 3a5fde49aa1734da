// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;

/**
 * The request of a map that has to run again, where its input can be read.
 *
 * <p>For such a map Hadoop asks for any node. If a node that holds its input does not answer, that
 * is dear: HDFS's client tries the nearest node first, which is the silent one for everybody in its
 * rack, and waits until the network gives up (half a minute on Linux) or for {@code
 * dfs.client.socket-timeout} (one minute). So the map asks for the nodes that hold its input and
 * answer, and for their racks unless a silent node is there. The scheduler gives it any node after
 * a few heartbeats; as long as it is patient, it does not take nodes elsewhere ({@link
 * AntiAffinityRequests}). As before, the request comes before all of other maps.
 */
final class RerunRequest extends ContainerRequestEvent {
  private RerunRequest(ContainerRequestEvent asked, List<String> hosts, List<String> racks) {
    super(
        asked.getAttemptID(),
        asked.getCapability(),
        hosts.toArray(String[]::new),
        racks.toArray(String[]::new));
  }

  /**
   * Returns the request to make.
   *
   * @param asked the request that Hadoop makes
   * @param holders the hosts that hold the input of the map
   * @param isAvoided whether the job avoids a host
   */
  static ContainerRequestEvent of(
      ContainerRequestEvent asked, Set<String> holders, Predicate<String> isAvoided) {
    List<String> readable = holders.stream().filter(isAvoided.negate()).sorted().toList();
    boolean isUseful =
        asked.getEarlierAttemptFailed()
            && asked.getHosts().length == 0
            && !readable.isEmpty()
            && readable.size() < holders.size();
    if (!isUseful) {
      return asked;
    }
    List<String> shunned = holders.stream().filter(isAvoided).map(ContainerLocality::rack).toList();
    List<String> racks =
        readable.stream()
            .map(ContainerLocality::rack)
            .distinct()
            .filter(rack -> !shunned.contains(rack))
            .toList();
    return new RerunRequest(asked, readable, racks);
  }

  /** Returns whether a map that has to run again might read from a silent node on a host. */
  static boolean isFar(ContainerRequest request, String host) {
    return RMContainerAllocator.PRIORITY_FAST_FAIL_MAP.equals(request.priority)
        && request.hosts.length > 0 // Hadoop asks for none
        && ContainerLocality.of(host, request) == JobCounter.OTHER_LOCAL_MAPS;
  }

  @Override
  public boolean getEarlierAttemptFailed() {
    return true; // which gives it its priority
  }
}
