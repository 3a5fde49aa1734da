// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import io.drover.appmaster.Cloner;
import io.drover.appmaster.TaskKindMapping;
import io.drover.core.clone.ClonePriority;
import io.drover.core.model.TaskKind;
import java.time.Duration;
import java.util.Arrays;
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
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerAllocator.ScheduledRequests;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Requests containers for clones and computes the room for clones. The requests have priorities of
 * their own, so everything that Hadoop derives from its own requests (slow start, preemption of
 * reduces, limits) ignores them.
 */
final class CloneRequests implements Cloner.Room {
  private final DroverContainerAllocator allocator;
  private final AntiAffinityRequests antiAffinity;
  private final SampleRequests samples;
  private final Cloner cloner;
  private final Map<TaskAttemptId, ContainerRequest> waiting = new LinkedHashMap<>();
  private final Map<TaskKind, Resource> sizes = new EnumMap<>(TaskKind.class);

  CloneRequests(
      DroverContainerAllocator allocator,
      AntiAffinityRequests antiAffinity,
      SampleRequests samples,
      Cloner cloner) {
    this.allocator = allocator;
    this.antiAffinity = antiAffinity;
    this.samples = samples;
    this.cloner = cloner;
  }

  /** Returns the requests that have no container yet. */
  Map<TaskAttemptId, ContainerRequest> requests() {
    return waiting;
  }

  /** Notes the container size that an attempt other than a clone has requested. */
  void sees(TaskAttemptId attempt, Resource size) {
    sizes.put(TaskKindMapping.of(attempt), size);
  }

  /** Requests a clone's container where its data is, as large as those of Hadoop's attempts. */
  void ask(ContainerRequestEvent event, Configuration conf) {
    TaskAttemptId clone = event.getAttemptID();
    if (!cloner.asks(clone)) {
      return; // it was withdrawn in the meantime
    }
    TaskKind kind = TaskKindMapping.of(clone);
    String labels =
        kind == TaskKind.MAP ? MRJobConfig.MAP_NODE_LABEL_EXP : MRJobConfig.REDUCE_NODE_LABEL_EXP;
    ContainerRequest request =
        new ContainerRequest(
            clone,
            sizes.getOrDefault(kind, event.getCapability()),
            event.getHosts(),
            event.getRacks(),
            Priority.newInstance(ClonePriority.of(kind)),
            conf.get(labels));
    waiting.put(clone, request);
    allocator.addContainerReq(request);
  }

  @Override
  public void cancel(TaskAttemptId clone) {
    ContainerRequest request = waiting.remove(clone);
    if (request != null) {
      allocator.decContainerReq(request);
    }
  }

  /** Decides what to do with a container that was requested for a clone. */
  Runnable decide(Container container) {
    String host = container.getNodeId().getHost();
    boolean unwanted = allocator.isAvoided(host);
    ContainerRequest first = null;
    for (ContainerRequest request : waiting.values()) {
      if (allocator.fits(request, container)) {
        first = first == null ? request : first;
        Optional<String> objection = objection(request.attemptID);
        if (objection.isPresent()) {
          return () -> refuse(container, request.attemptID, objection.get());
        }
        if (!unwanted && !antiAffinity.avoids(request.attemptID, host)) {
          return samples.declines(request.attemptID, host)
              ? () -> allocator.giveBack(container, request)
              : () -> give(container, request);
        }
      }
    }
    if (first == null) {
      return () -> allocator.release(container);
    }
    ContainerRequest refusing = first;
    return unwanted || isPatient(refusing)
        ? () -> allocator.giveBack(container, refusing)
        : () -> give(container, refusing);
  }

  /**
   * Returns whether a clone still waits for a better node. Its patience starts with its request,
   * because a clone is only requested if there is room for it.
   */
  private boolean isPatient(ContainerRequest request) {
    return AntiAffinityRequests.isWithin(antiAffinity.patience(), request.requestTimeMs);
  }

  private void give(Container container, ContainerRequest request) {
    allocator.give(container, request);
    cloner.onAllocated(request.attemptID);
  }

  private void refuse(Container container, TaskAttemptId clone, String why) {
    cloner.withdraw(clone, this, why);
    allocator.release(container);
  }

  /** Returns why a clone that was requested a moment ago must not run now. */
  private Optional<String> objection(TaskAttemptId clone) {
    if (allocator.limits().isReached(clone) || withinLimit(TaskKindMapping.of(clone)) < 0) {
      return Optional.of("the job already runs as many attempts as it allows");
    }
    return cloner.isBeyondBudget(clone)
        ? Optional.of("its task has a copy now, and runs as many attempts as it may")
        : Optional.empty();
  }

  // --- the room for clones

  @Override
  public int free(TaskKind kind) {
    Resource size = sizes.get(kind);
    int headroom = size == null ? 0 : allocator.containers(unclaimed(), size);
    return Math.min(headroom, withinLimit(kind));
  }

  /** Returns the headroom minus what the waiting requests will take of it; once none is left, 0. */
  private Resource unclaimed() {
    Resource rest = Resources.clone(allocator.getAvailableResources());
    ScheduledRequests others = allocator.getScheduledRequests();
    for (Map<?, ContainerRequest> requests : List.of(others.maps, others.reduces, waiting)) {
      for (ContainerRequest request : requests.values()) {
        if (!DroverContainerAllocator.isOpportunistic(request.priority)) {
          Resources.subtractFrom(rest, request.capability);
        }
        if (rest.getMemorySize() <= 0) { // there may be very many requests
          return Resources.none();
        }
      }
    }
    return rest;
  }

  /**
   * Returns how many more clones of a kind fit into the job's limit of running attempts if each
   * unfinished task runs one attempt of its own. It is negative if there are too many.
   */
  private int withinLimit(TaskKind kind) {
    int limit = allocator.limits().of(kind);
    if (limit == 0) {
      return Integer.MAX_VALUE;
    }
    Job job = allocator.getJob();
    int tasks =
        kind == TaskKind.MAP
            ? job.getTotalMaps() - job.getCompletedMaps()
            : job.getTotalReduces() - job.getCompletedReduces();
    long asked =
        waiting.keySet().stream().filter(clone -> TaskKindMapping.of(clone) == kind).count();
    return limit - tasks - running(kind) - (int) asked;
  }

  /** Returns whether any clone has a container. */
  boolean areRunning() {
    return Arrays.stream(TaskKind.values()).anyMatch(kind -> running(kind) > 0);
  }

  /** Returns how many clones of a kind have a container. */
  private int running(TaskKind kind) {
    return (int) allocator.assigned(kind).keySet().stream().filter(cloner::isClone).count();
  }

  @Override
  public int starving(Duration grace) {
    ScheduledRequests others = allocator.getScheduledRequests();
    return late(others.maps.values(), grace)
        + late(others.reduces.values(), grace)
        + heldBack(TaskKind.MAP, others.maps.size())
        + heldBack(TaskKind.REDUCE, others.reduces.size());
  }

  /** Counts the requests that have waited too long for room. Opportunistic ones need none. */
  private int late(Collection<ContainerRequest> requests, Duration grace) {
    int late = 0;
    for (ContainerRequest request : requests) {
      boolean old = !AntiAffinityRequests.isWithin(grace, request.requestTimeMs);
      boolean needsRoom = !DroverContainerAllocator.isOpportunistic(request.priority);
      Resource room = allocator.getAvailableResources();
      if (old && needsRoom && allocator.containers(room, request.capability) == 0) {
        late++;
      }
    }
    return late;
  }

  /** Counts the requests that wait because clones use up the job's limit of running attempts. */
  private int heldBack(TaskKind kind, int requests) {
    return allocator.limits().isReached(kind) ? Math.min(requests, running(kind)) : 0;
  }

  @Override
  public boolean isAskedFor(TaskAttemptId attempt) {
    Set<TaskAttemptId> asked = allocator.pending(attempt).keySet();
    return asked.contains(attempt) || allocator.assignedHost(attempt).isPresent();
  }

  @Override
  public Optional<String> host(TaskAttemptId attempt) {
    return allocator.assignedHost(attempt);
  }
}
