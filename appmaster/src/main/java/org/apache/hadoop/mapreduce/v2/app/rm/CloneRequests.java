// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import io.drover.appmaster.Cloner;
import io.drover.appmaster.TaskKinds;
import io.drover.core.clone.ClonePriority;
import io.drover.core.model.TaskKind;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerAllocator.ScheduledRequests;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * What is asked for on behalf of clones, at priorities of their own: all that Hadoop derives from
 * the requests it knows (slow start, preemption of reduces, limits) does not see it. And what there
 * is room for.
 */
final class CloneRequests implements Cloner.Room {
  /** How long an attempt waits for its container before a clone gives way to it. */
  private static final long GRACE_MILLIS = 2_000;

  private final DroverContainerAllocator allocator;
  private final ApartRequests apart;
  private final Map<TaskAttemptId, ContainerRequest> waiting = new LinkedHashMap<>();
  private final Map<TaskKind, Resource> sizes = new EnumMap<>(TaskKind.class);

  CloneRequests(DroverContainerAllocator allocator, ApartRequests apart) {
    this.allocator = allocator;
    this.apart = apart;
  }

  /** What is asked for and not given. */
  Map<TaskAttemptId, ContainerRequest> requests() {
    return waiting;
  }

  /** An attempt that is no clone has asked for a container of a size. */
  void sees(TaskAttemptId attempt, Resource size) {
    sizes.put(TaskKinds.of(attempt), size);
  }

  /** Asks for a clone's container: of the size of its elders', and where its data is. */
  void ask(ContainerRequestEvent event, Configuration conf) {
    TaskKind kind = TaskKinds.of(event.getAttemptID());
    String labels =
        kind == TaskKind.MAP ? MRJobConfig.MAP_NODE_LABEL_EXP : MRJobConfig.REDUCE_NODE_LABEL_EXP;
    ContainerRequest request =
        new ContainerRequest(
            event.getAttemptID(),
            sizes.getOrDefault(kind, event.getCapability()),
            event.getHosts(),
            event.getRacks(),
            Priority.newInstance(ClonePriority.of(kind)),
            conf.get(labels));
    waiting.put(event.getAttemptID(), request);
    allocator.addContainerReq(request);
  }

  /**
   * A clone wants no container any more.
   *
   * @return whether it wanted one
   */
  boolean cancel(TaskAttemptId clone) {
    ContainerRequest request = waiting.remove(clone);
    if (request != null) {
      allocator.decContainerReq(request);
    }
    return request != null;
  }

  /** What to do with a container that was asked for here. */
  Runnable decide(Container container) {
    String host = container.getNodeId().getHost();
    boolean unwanted = allocator.isAvoided(container);
    ContainerRequest first = null;
    for (ContainerRequest request : waiting.values()) {
      if (allocator.fits(request, container)) {
        first = first == null ? request : first;
        if (!unwanted && !apart.avoids(request.attemptID, host)) {
          return () -> allocator.give(container, request);
        }
      }
    }
    if (first == null) {
      return () -> allocator.release(container);
    }
    ContainerRequest refusing = first;
    return unwanted || apart.isPatient(refusing)
        ? () -> allocator.giveBack(container, refusing)
        : () -> allocator.give(container, refusing);
  }

  // --- the room there is

  @Override
  public int free(TaskKind kind) {
    Resource size = sizes.get(kind);
    return size == null ? 0 : allocator.containers(unclaimed(), size);
  }

  /** The headroom, less all that is waited for. */
  private Resource unclaimed() {
    Resource rest = Resources.clone(allocator.getAvailableResources());
    ScheduledRequests others = allocator.getScheduledRequests();
    for (Map<?, ContainerRequest> requests : List.of(others.maps, others.reduces, waiting)) {
      for (ContainerRequest request : requests.values()) {
        Resources.subtractFrom(rest, request.capability);
      }
    }
    return rest;
  }

  @Override
  public int starving() {
    ScheduledRequests others = allocator.getScheduledRequests();
    return late(others.maps.values()) + late(others.reduces.values());
  }

  /** How many have waited for a while, and find no room. */
  private int late(Collection<ContainerRequest> requests) {
    int late = 0;
    for (ContainerRequest request : requests) {
      boolean old = System.currentTimeMillis() - request.requestTimeMs > GRACE_MILLIS;
      Resource room = allocator.getAvailableResources();
      if (old && allocator.containers(room, request.capability) == 0) {
        late++;
      }
    }
    return late;
  }

  @Override
  public boolean isAskedFor(TaskAttemptId attempt) {
    Set<TaskAttemptId> asked = allocator.pending(attempt).keySet();
    return asked.contains(attempt) || allocator.given(attempt).isPresent();
  }

  @Override
  public Optional<String> host(TaskAttemptId attempt) {
    return allocator.given(attempt);
  }

  @Override
  public int waiting() {
    return waiting.size();
  }
}
