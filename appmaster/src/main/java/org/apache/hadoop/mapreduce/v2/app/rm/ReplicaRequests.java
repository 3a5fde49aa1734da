// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import io.drover.appmaster.ReducePlacer;
import io.drover.appmaster.replicate.Replicator;
import io.drover.appmaster.replicate.Replicator.Wanted;
import io.drover.core.clone.ClonePriority;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/**
 * Requests containers for the workers that make replicas of outputs. They are like those of clones:
 * with a priority below all of Hadoop's requests, under the scheduler's ceiling, and the first to
 * give way. Hadoop's own allocator sees neither the containers nor their ends.
 */
final class ReplicaRequests {
  /** The size of a worker's container; the ResourceManager rounds it up to its smallest one. */
  private static final Resource SIZE = Resource.newInstance(384, 1);

  /**
   * How many useless containers a request is tried again for. While other attempts wait, the node
   * with the outputs may offer one before another of its rack does at each of many heartbeats.
   */
  private static final int MOST_REFUSED = 30;

  /** How long workers want only nodes that they name. A choice of ours. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** How long a map may wait for the room of workers, whose ends take a few heartbeats. */
  static final Duration MAKE_ROOM = Duration.ofSeconds(30);

  /** The exit statuses of containers that somebody has ended who wants the room. */
  private static final Set<Integer> BY_OTHERS =
      Set.of(
          ContainerExitStatus.ABORTED,
          ContainerExitStatus.PREEMPTED,
          ContainerExitStatus.KILLED_BY_APPMASTER,
          ContainerExitStatus.KILLED_BY_RESOURCEMANAGER,
          ContainerExitStatus.KILLED_AFTER_APP_COMPLETION);

  private static final Priority PRIORITY = Priority.newInstance(ClonePriority.REPLICA_WORKER);

  private final DroverContainerAllocator allocator;
  private final Replicator replicator;
  private final ReducePlacer placer;
  private final Map<TaskAttemptId, ContainerRequest> waiting = new LinkedHashMap<>();
  private final Map<TaskAttemptId, Integer> refused = new HashMap<>();
  private final Set<String> gaveBack = new HashSet<>();
  private final Map<ContainerId, TaskAttemptId> running = new HashMap<>();
  private boolean strict;

  ReplicaRequests(DroverContainerAllocator allocator, Replicator replicator, ReducePlacer placer) {
    this.allocator = allocator;
    this.replicator = replicator;
    this.placer = placer;
  }

  /** Returns whether a container was requested for a worker. */
  static boolean isOne(Container container) {
    return PRIORITY.equals(container.getPriority());
  }

  /**
   * Returns whether a request is the one of workers for any node, and must be met in their racks.
   */
  boolean isStrict(ResourceRequest request) {
    return strict
        && PRIORITY.equals(request.getPriority())
        && ResourceRequest.isAnyLocation(request.getResourceName());
  }

  /**
   * Makes the request for any node strict while all workers are patient and each names another node
   * that works. Otherwise large clusters would offer nodes of other racks, one after the other. Of
   * a strict request, CapacityScheduler counts no missed opportunities, so it offers only the nodes
   * that are named. These may be full or closed; so after a while, any node of the rack will do.
   */
  private void keepStrict() {
    boolean before = strict;
    strict =
        waiting.values().stream()
            .allMatch(
                request ->
                    AntiAffinityRequests.isWithin(PATIENCE, request.requestTimeMs)
                        && namesOneThatWorks(request));
    if (before != strict && !waiting.isEmpty()) {
      ChangedRequest.sendAgain(allocator, waiting.values().iterator().next());
    }
  }

  private boolean namesOneThatWorks(ContainerRequest request) {
    Collection<String> working = placer.workers(request.racks[0]);
    return Stream.of(request.hosts).anyMatch(host -> working.contains(host) && isGood(host));
  }

  /** Returns whether a worker waits for a container or has one. */
  boolean areAny() {
    return !waiting.isEmpty() || !running.isEmpty();
  }

  /**
   * Returns whether maps are likely to get the room of workers, so that no reduce must end for
   * them. Workers have containers, or have had until a moment ago, and no map has waited for long.
   * If one has, the workers are not what stands in its way. The ResourceManager may report room
   * where the map cannot run, and then the workers are not ended for it.
   */
  boolean makeRoomFor(Map<TaskAttemptId, ContainerRequest> maps) {
    return !running.isEmpty()
        && maps.values().stream()
            .allMatch(map -> AntiAffinityRequests.isWithin(MAKE_ROOM, map.requestTimeMs));
  }

  /**
   * Requests what is wanted, and gives back what is not.
   *
   * <p>Workers end as soon as an attempt waits for room. Hadoop would end reduces for a map, and
   * does not know that workers have the room ({@link #makeRoomFor}).
   *
   * @param starving how many attempts of the job have waited for room for longer than a time
   */
  void heartbeat(ToIntFunction<Duration> starving) {
    replicator.endOverdue();
    if (areAny() && starving.applyAsInt(Duration.ZERO) > 0) {
      replicator.endAll("attempts of the job need the room");
    }
    for (Wanted wanted : replicator.wanted()) {
      if (!waiting.containsKey(wanted.worker())) {
        request(wanted);
      }
    }
    for (TaskAttemptId worker : List.copyOf(waiting.keySet())) {
      if (!replicator.isKnown(worker)) {
        cancel(worker);
      }
    }
    running.forEach(
        (container, worker) -> {
          if (!replicator.isKnown(worker)) {
            allocator.release(container); // until its end is heard of
          }
        });
    keepStrict();
  }

  /** Requests a container on one of the hosts of a rack that are known, or anywhere in it. */
  private void request(Wanted wanted) {
    Set<String> hosts = new TreeSet<>(placer.hosts(wanted.rack()));
    hosts.addAll(wanted.hosts());
    hosts.removeIf(host -> !isOfUse(host, wanted));
    ContainerRequest request =
        new ContainerRequest(
            wanted.worker(),
            SIZE,
            hosts.toArray(String[]::new),
            new String[] {wanted.rack()},
            PRIORITY,
            allocator.getConfig().get(MRJobConfig.MAP_NODE_LABEL_EXP));
    waiting.put(wanted.worker(), request);
    allocator.addContainerReq(request);
  }

  /** Ends all workers, and forgets their requests at the next heartbeat. */
  void endAll(String why) {
    replicator.endAll(why);
  }

  private void cancel(TaskAttemptId worker) {
    refused.remove(worker);
    ContainerRequest request = waiting.remove(worker);
    if (request != null) {
      allocator.decContainerReq(request);
    }
  }

  private Stream<Wanted> open() {
    return replicator.wanted().stream().filter(wanted -> waiting.containsKey(wanted.worker()));
  }

  /** Returns whether a worker can make its replicas on a host. */
  private boolean isOfUse(String host, Wanted wanted) {
    return wanted.rack().equals(ContainerLocality.rack(host))
        && !wanted.notOn().equals(host)
        && isGood(host);
  }

  private boolean isGood(String host) {
    return !allocator.isAvoided(host) && !replicator.avoids(host);
  }

  /**
   * Returns the hosts from which containers have gone back and on which no worker that waits takes
   * one. If nobody else waits, the ResourceManager is asked not to offer them: the node with the
   * outputs might offer a container before others of its rack do, again and again, as heartbeats
   * keep in step. As soon as an attempt waits, they are offered again.
   */
  Set<String> unwanted() {
    List<Wanted> open = open().toList();
    if (open.isEmpty()) {
      gaveBack.clear();
    }
    return gaveBack.stream()
        .filter(host -> open.stream().noneMatch(wanted -> isOfUse(host, wanted)))
        .collect(Collectors.toSet());
  }

  /** Decides what to do with a container that was requested for a worker. */
  Runnable decide(Container container) {
    String host = container.getNodeId().getHost();
    Optional<Wanted> taker = open().filter(wanted -> isOfUse(host, wanted)).findFirst();
    if (taker.isPresent()) {
      return () -> give(container, taker.get().worker());
    }
    Optional<ContainerRequest> other = // the one that it was for, if that can be told
        ContainerLocality.nearest(container, waiting.values().stream());
    return other.isPresent()
        ? () -> refuse(container, other.get().attemptID)
        : () -> allocator.release(container);
  }

  private void give(Container container, TaskAttemptId worker) {
    cancel(worker);
    if (replicator.allocated(worker, container)) {
      running.put(container.getId(), worker);
    } else {
      allocator.release(container);
    }
  }

  private void refuse(Container container, TaskAttemptId worker) {
    gaveBack.add(container.getNodeId().getHost());
    allocator.giveBack(container, waiting.get(worker));
    if (refused.merge(worker, 1, Integer::sum) > MOST_REFUSED) {
      cancel(worker);
      replicator.end(worker, "no container comes in its rack");
    }
  }

  /** Takes the ends of workers' containers out of a response, because Hadoop does not know them. */
  void takeEnds(AllocateResponse response) {
    if (running.isEmpty()) {
      return;
    }
    Iterator<ContainerStatus> ends = response.getCompletedContainersStatuses().iterator();
    while (ends.hasNext()) {
      ContainerStatus end = ends.next();
      TaskAttemptId worker = running.remove(end.getContainerId());
      if (worker != null) {
        ends.remove();
        replicator.exited(worker, !BY_OTHERS.contains(end.getExitStatus()));
      }
    }
  }
}
