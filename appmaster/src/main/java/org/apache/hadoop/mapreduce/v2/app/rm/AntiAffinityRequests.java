// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import io.drover.appmaster.CopyAntiAffinity;
import io.drover.core.config.Mode;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps attempts away from nodes: a container on such a node goes to another attempt, or back, or
 * after a while to the attempt anyway. A node that all attempts that wait keep away from, and from
 * which a container has gone back, the ResourceManager is told not to offer in the meantime: it
 * would offer it again and again, and each time a heartbeat or two are lost.
 *
 * <p><b>Why it is not told before a container has come from there.</b> The ResourceManager may have
 * reserved the node for the job. It gives nobody else a container on a node that is reserved, and
 * asks the job's list of nodes before it fulfils the reservation (RegularContainerAllocator.
 * tryAllocateOnNode). So a node on the list would stand idle, for all, until the requests are met
 * elsewhere. A container that comes fulfils what was reserved there.
 *
 * <p><b>For how long.</b> From the first container that an attempt refuses. Before it, the attempt
 * waited for a slot, or until the job's limits let it run, and had no choice to make.
 *
 * <p>Only attempts of tasks that have had more than one are choosy about nodes.
 */
final class AntiAffinityRequests {
  private static final Logger LOG = LoggerFactory.getLogger(AntiAffinityRequests.class);

  /** What an attempt has refused: since when, and from which hosts containers have gone back. */
  private record Refusals(long sinceMillis, Set<String> hosts) {}

  private static final Refusals NONE = new Refusals(0, Set.of());

  private final DroverContainerAllocator allocator;
  private final CopyAntiAffinity antiAffinity;
  private final Mode mode;
  private final Set<TaskAttemptId> choosy = new LinkedHashSet<>();
  private final Map<TaskAttemptId, Refusals> refusals = new HashMap<>();

  AntiAffinityRequests(
      DroverContainerAllocator allocator, CopyAntiAffinity antiAffinity, Mode mode) {
    this.allocator = allocator;
    this.antiAffinity = antiAffinity;
    this.mode = mode;
  }

  /** An attempt of a task asks for a container. */
  void sees(Task task) {
    if (task.getAttempts().size() > 1) {
      choosy.addAll(task.getAttempts().keySet());
    }
  }

  /** Whether an attempt that is choosy waits, or did a moment ago. */
  boolean areSome() {
    return !choosy.isEmpty();
  }

  /** Forgets those that wait no more. */
  void prune() {
    choosy.removeIf(id -> !allocator.pending(id).containsKey(id));
    refusals.keySet().retainAll(choosy);
  }

  /** What to do with a container; empty if Hadoop is to hand it out. */
  Optional<Runnable> decide(Container container) {
    if (mode == Mode.OFF) {
      return Optional.empty();
    }
    String host = container.getNodeId().getHost();
    Map<TaskAttemptId, ContainerRequest> fitting = fitting(container);
    Optional<CopyAntiAffinity.Claim> claim =
        CopyAntiAffinity.claim(
            fitting.keySet(), id -> wouldAvoid(id, host), id -> !allocator.limits().isReached(id));
    if (claim.isEmpty()) {
      return Optional.empty();
    }
    ContainerRequest first = fitting.get(claim.get().attempt());
    if (!claim.get().isTaken()) {
      LOG.info("{} is to keep away from {} ({})", first.attemptID, host, mode);
    }
    if (mode != Mode.ON) {
      return Optional.empty();
    }
    if (claim.get().isTaken()) {
      return Optional.of(() -> allocator.give(container, first));
    }
    List<ContainerRequest> unwilling =
        fitting.values().stream().filter(one -> wouldAvoid(one.attemptID, host)).toList();
    Optional<ContainerRequest> taker = taker(container, unwilling);
    if (taker.isPresent()) {
      return Optional.of(() -> allocator.give(container, taker.get()));
    }
    Refusals refused =
        refusals.computeIfAbsent(
            first.attemptID, id -> new Refusals(System.currentTimeMillis(), new HashSet<>()));
    if (!isPatient(first.attemptID)) {
      return Optional.of(() -> allocator.give(container, first));
    }
    return Optional.of(
        () -> {
          refused.hosts().add(host);
          allocator.giveBack(container, first);
        });
  }

  /** The choosy attempts that wait and that a container fits. */
  private Map<TaskAttemptId, ContainerRequest> fitting(Container container) {
    Map<TaskAttemptId, ContainerRequest> fitting = new LinkedHashMap<>();
    for (TaskAttemptId id : choosy) {
      ContainerRequest request = allocator.pending(id).get(id);
      if (request != null && allocator.fits(request, container)) {
        fitting.put(id, request);
      }
    }
    return fitting;
  }

  /**
   * The hosts from which containers have gone back, and more would, since every attempt that waits
   * now keeps away from them. There are none as soon as one of them takes what it gets.
   */
  Set<String> unwanted() {
    if (mode != Mode.ON || refusals.isEmpty()) {
      return Set.of();
    }
    List<ContainerRequest> waiting = allocator.waiting().toList();
    Set<String> hosts = new HashSet<>();
    waiting.forEach(one -> hosts.addAll(refusals.getOrDefault(one.attemptID, NONE).hosts()));
    for (ContainerRequest request : waiting) {
      TaskAttemptId id = request.attemptID;
      if (!choosy.contains(id) || !isPatient(id)) {
        return Set.of();
      }
      hosts.retainAll(antiAffinity.hosts(allocator.task(id), id, allocator::assignedHost));
    }
    return hosts;
  }

  /** Another attempt for a container. */
  private Optional<ContainerRequest> taker(Container container, List<ContainerRequest> unwilling) {
    return ContainerLocality.nearest(
        container,
        allocator.pending(unwilling.get(0).attemptID).values().stream()
            .filter(request -> !unwilling.contains(request) && allocator.fits(request, container)));
  }

  /** Whether an attempt goes on waiting for another node than those it avoids. */
  private boolean isPatient(TaskAttemptId id) {
    Refusals refused = refusals.get(id);
    return refused == null || DroverContainerAllocator.isWithin(patience(), refused.sinceMillis());
  }

  /** How long an attempt waits for another node than those it avoids. */
  Duration patience() {
    return antiAffinity.patience();
  }

  /** Whether an attempt is not to run on a host. */
  boolean avoids(TaskAttemptId id, String host) {
    return mode == Mode.ON && wouldAvoid(id, host);
  }

  private boolean wouldAvoid(TaskAttemptId id, String host) {
    return antiAffinity.avoids(allocator.task(id), id, host, allocator::assignedHost);
  }
}
