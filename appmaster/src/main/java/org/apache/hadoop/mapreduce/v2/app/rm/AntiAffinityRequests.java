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
 * Keeps attempts away from nodes. A container on an avoided node goes to another attempt or back to
 * the ResourceManager; after a while, the attempt takes it anyway. If every waiting attempt avoids
 * a node from which a container has gone back, the ResourceManager is asked not to offer that node
 * for the time being. Otherwise it would offer the node again and again, and each offer costs a
 * heartbeat or two.
 *
 * <p><b>Why the ResourceManager is not asked earlier.</b> It may have reserved the node for the
 * job. It gives nobody else a container on a reserved node, and it checks the job's blacklist
 * before it fulfils the reservation (RegularContainerAllocator.tryAllocateOnNode). So a blacklisted
 * node would stand idle for everybody until the requests are met elsewhere. A container that
 * arrives from the node fulfils the reservation.
 *
 * <p><b>How long an attempt waits.</b> Its patience starts with the first container that it
 * refuses. Before that, it waited for a slot or for the job's limits and had no choice to make.
 *
 * <p>Only attempts of tasks that have had more than one attempt are choosy about nodes.
 */
final class AntiAffinityRequests {
  private static final Logger LOG = LoggerFactory.getLogger(AntiAffinityRequests.class);

  /**
   * The refusals of an attempt.
   *
   * @param sinceNanos when it first refused a container, by {@code System.nanoTime}
   * @param hosts those whose containers went back
   */
  private record Refusals(long sinceNanos, Set<String> hosts) {}

  private static final Refusals NONE = new Refusals(0, Set.of());

  private final DroverContainerAllocator allocator;
  private final CopyAntiAffinity antiAffinity;
  private final Mode mode;
  private final RerunRequests reruns;
  private final Set<TaskAttemptId> choosy = new LinkedHashSet<>();
  private final Map<TaskAttemptId, Refusals> refusals = new HashMap<>();

  AntiAffinityRequests(
      DroverContainerAllocator allocator,
      CopyAntiAffinity antiAffinity,
      Mode mode,
      RerunRequests reruns) {
    this.allocator = allocator;
    this.antiAffinity = antiAffinity;
    this.mode = mode;
    this.reruns = reruns;
  }

  /** Notes that an attempt of a task asks for a container. */
  void sees(Task task) {
    if (task.getAttempts().size() > 1) {
      choosy.addAll(task.getAttempts().keySet());
    }
  }

  /** Returns whether any choosy attempt waits, or did at the last {@link #prune}. */
  boolean areSome() {
    return !choosy.isEmpty();
  }

  /**
   * Forgets the attempts that no longer wait for a container. An attempt without a request may wait
   * for one all the same: Hadoop keeps each new reduce in a list of its own until it ramps reduces
   * up, after the answer to the heartbeat.
   */
  void prune() {
    choosy.removeIf(
        id ->
            allocator.assignedHost(id).isPresent()
                || allocator.task(id).getAttempt(id).isFinished());
    refusals.keySet().retainAll(choosy);
  }

  /** Decides what to do with a container. Returns empty if Hadoop should assign it. */
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
      LOG.info("{} should not run on {} (mode {})", first.attemptID, host, mode);
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
            first.attemptID, id -> new Refusals(System.nanoTime(), new HashSet<>()));
    if (!isPatient(first.attemptID)) {
      return Optional.of(() -> allocator.give(container, first));
    }
    return Optional.of(
        () -> {
          refused.hosts().add(host);
          allocator.giveBack(container, first);
        });
  }

  /** Returns the requests of choosy attempts that a container fits, the nearest to it first. */
  private Map<TaskAttemptId, ContainerRequest> fitting(Container container) {
    if (choosy.isEmpty()) {
      return Map.of(); // and no rack is looked up for the order
    }
    Map<TaskAttemptId, ContainerRequest> fitting = new LinkedHashMap<>();
    choosy.stream()
        .map(id -> allocator.pending(id).get(id))
        .filter(request -> request != null && allocator.fits(request, container))
        .sorted(ContainerLocality.nearestFirst(container))
        .forEach(request -> fitting.put(request.attemptID, request));
    return fitting;
  }

  /**
   * Returns the hosts that every waiting attempt avoids and from which a container has gone back.
   * Returns none as soon as one of these attempts takes any node.
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

  /** Returns the nearest request that a container fits, apart from the unwilling ones. */
  private Optional<ContainerRequest> taker(Container container, List<ContainerRequest> unwilling) {
    return ContainerLocality.nearest(
        container,
        allocator.pending(unwilling.get(0).attemptID).values().stream()
            .filter(request -> !unwilling.contains(request) && allocator.fits(request, container)));
  }

  /** Returns whether an attempt still waits for a node that it does not avoid. */
  private boolean isPatient(TaskAttemptId id) {
    Refusals refused = refusals.get(id);
    return refused == null || System.nanoTime() - refused.sinceNanos() < patience().toNanos();
  }

  /**
   * Returns whether less than a duration has passed since a request was formed. Hadoop notes that
   * by the clock of the machine. If that was set back since, the duration counts as over, because
   * otherwise somebody might wait for hours.
   */
  static boolean isWithin(Duration aWhile, long requestTimeMs) {
    long age = System.currentTimeMillis() - requestTimeMs;
    return age >= 0 && age < aWhile.toMillis();
  }

  /** Returns how long an attempt waits for a node that it does not avoid. */
  Duration patience() {
    return antiAffinity.patience();
  }

  /** Returns whether an attempt must not run on a host. */
  boolean avoids(TaskAttemptId id, String host) {
    return mode == Mode.ON && wouldAvoid(id, host);
  }

  private boolean wouldAvoid(TaskAttemptId id, String host) {
    ContainerRequest request = allocator.pending(id).get(id);
    return antiAffinity.avoids(allocator.task(id), id, host, allocator::assignedHost)
        || (request != null && reruns.isFar(request, host));
  }
}
