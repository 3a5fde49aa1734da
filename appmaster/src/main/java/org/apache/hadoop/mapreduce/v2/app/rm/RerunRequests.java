// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import io.drover.appmaster.AvoidedNodes;
import io.drover.appmaster.input.InputHolders;
import io.drover.appmaster.input.SplitReader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverLocality;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;

/**
 * Has maps that run again ask for nodes where their input can be read ({@link RerunRequest}).
 *
 * <p>A split may name only some of the hosts that hold it, and HDFS's client may read from any. So
 * they are looked up, which takes a moment. The map asks at once by what is known, and asks anew
 * when more is. An answer that comes before the next heartbeat, as most do, costs nothing.
 */
final class RerunRequests {
  private final DroverContainerAllocator allocator;
  private final AvoidedNodes avoided;
  private final InputHolders holders;

  /** Maps whose requests are to be looked at. */
  private final Set<TaskId> news = new HashSet<>();

  RerunRequests(DroverContainerAllocator allocator, AvoidedNodes avoided, InputHolders holders) {
    this.allocator = allocator;
    this.avoided = avoided;
    this.holders = holders;
  }

  /** Returns the request to make for one that Hadoop makes: the same but for a map's rerun. */
  ContainerRequestEvent instead(ContainerRequestEvent asked) {
    TaskAttemptId id = asked.getAttemptID();
    if (!asked.getEarlierAttemptFailed()) {
      return asked;
    }
    DroverLocality.split(allocator.task(id))
        .filter(split -> Stream.of(split.getLocations()).anyMatch(SplitReader::isHost))
        .ifPresent(split -> holders.lookUp(id.getTaskId(), split));
    return RerunRequest.of(asked, hosts(id), avoided::isHardToRead);
  }

  /** Lets maps ask anew of which it has become known who holds their input. */
  void askAnew() {
    news.addAll(holders.news());
    if (news.isEmpty()) {
      return;
    }
    List<ContainerRequest> waiting = allocator.waiting().filter(RerunRequest::isOne).toList();
    for (ContainerRequest request : waiting) {
      if (news.remove(request.attemptID.getTaskId())) { // first, as the next step may fail
        askAnew(request);
      }
    }
    news.clear();
  }

  private void askAnew(ContainerRequest old) {
    ContainerRequestEvent any =
        ContainerRequestEvent.createContainerRequestEventForFailedContainer(
            old.attemptID, old.capability);
    List<String> hosts =
        List.of(RerunRequest.of(any, hosts(old.attemptID), avoided::isHardToRead).getHosts());
    if (!hosts.equals(List.of(old.hosts))) {
      ChangedRequest.ask(allocator, old, hosts);
    }
  }

  /** Returns whether a map that runs again might, on a host, read from one that is hard to read. */
  boolean isFar(ContainerRequest request, String host) {
    return RerunRequest.isOne(request)
        && RerunRequest.isFar(request, hosts(request.attemptID), avoided::isHardToRead, host);
  }

  private Set<String> hosts(TaskAttemptId id) {
    Set<String> found = holders.of(id.getTaskId());
    return found.isEmpty() ? DroverLocality.hosts(allocator.task(id), id) : found;
  }
}
