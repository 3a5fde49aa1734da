// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;

/**
 * The request of a map that has to run again, where its input can be read.
 *
 * <p>For such a map Hadoop asks for any node. If a node that holds its input does not answer, that
 * is dear: HDFS's client tries the nearest node first, which is the silent one for everybody in its
 * rack, and waits until the network gives up (half a minute on Linux) or for {@code
 * dfs.client.socket-timeout} (one minute). A node with a slow link answers, and the map then reads
 * all of its input over that link. So the map asks for the nodes that hold its input and can be
 * read well, and for their racks, without which no scheduler gives it these nodes. A scheduler
 * gives it others after a few heartbeats; as long as it is patient, it takes none from where it
 * might read from a node that is hard to read ({@link #isFar}, {@link AntiAffinityRequests}). As
 * before, the request comes before all of other maps.
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
   * @param isHardToRead whether a host does not answer, or data comes slowly from it
   */
  static ContainerRequestEvent of(
      ContainerRequestEvent asked, Set<String> holders, Predicate<String> isHardToRead) {
    List<String> readable = holders.stream().filter(isHardToRead.negate()).sorted().toList();
    boolean isUseful =
        asked.getEarlierAttemptFailed()
            && asked.getHosts().length == 0
            && !readable.isEmpty()
            && readable.size() < holders.size();
    if (!isUseful) {
      return asked;
    }
    List<String> racks = readable.stream().map(ContainerLocality::rack).distinct().toList();
    return new RerunRequest(asked, readable, racks);
  }

  /** Returns whether a request is one of a map that has to run again. */
  static boolean isOne(ContainerRequest request) {
    return RMContainerAllocator.PRIORITY_FAST_FAIL_MAP.equals(request.priority);
  }

  /**
   * Returns whether a map that has to run again might, on a host, read from a node that is hard to
   * read. On a host that holds the input and can be read it does not, nor in a rack where some node
   * does and none that is hard to read. If only such nodes are known to hold it, that is likely in
   * their racks: there may be others, as a split need not name all.
   *
   * @param request one of a map that has to run again
   * @param holders the hosts that hold the input of the map, as far as they are known
   * @param isHardToRead whether a host does not answer, or data comes slowly from it
   */
  static boolean isFar(
      ContainerRequest request, Set<String> holders, Predicate<String> isHardToRead, String host) {
    List<String> readable = List.of(request.hosts);
    if (readable.contains(host) || holders.stream().noneMatch(isHardToRead)) {
      return false;
    }
    String rack = ContainerLocality.rack(host);
    boolean isNearOne = readable.isEmpty() || List.of(request.racks).contains(rack);
    return !isNearOne
        || holders.stream()
            .filter(isHardToRead)
            .map(ContainerLocality::rack)
            .anyMatch(rack::equals);
  }

  @Override
  public boolean getEarlierAttemptFailed() {
    return true; // which gives it its priority
  }
}
