// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import io.drover.appmaster.CopiesApart;
import io.drover.core.config.Mode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attempts that are to keep away from nodes: a container on such a node goes to another attempt, or
 * back, or after a while to the attempt anyway. A node that all attempts that wait keep away from,
 * the ResourceManager is told not to offer in the meantime: it would offer it again and again, and
 * each time a heartbeat or two are lost.
 *
 * <p>Only attempts of tasks that have had more than one are choosy about nodes.
 */
final class ApartRequests {
  private static final Logger LOG = LoggerFactory.getLogger(ApartRequests.class);

  private final DroverContainerAllocator allocator;
  private final CopiesApart apart;
  private final Mode mode;
  private final Set<TaskAttemptId> choosy = new LinkedHashSet<>();

  ApartRequests(DroverContainerAllocator allocator, CopiesApart apart, Mode mode) {
    this.allocator = allocator;
    this.apart = apart;
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
  }

  /** What to do with a container that not everybody wants; empty if everybody does. */
  Optional<Runnable> decide(Container container) {
    if (mode == Mode.OFF) {
      return Optional.empty();
    }
    String host = container.getNodeId().getHost();
    List<ContainerRequest> unwilling = new ArrayList<>();
    for (TaskAttemptId id : choosy) {
      ContainerRequest request = allocator.pending(id).get(id);
      if (request != null && allocator.fits(request, container) && wouldAvoid(id, host)) {
        unwilling.add(request);
      }
    }
    if (unwilling.isEmpty() || allocator.limits().isReached(unwilling.get(0).attemptID)) {
      return Optional.empty();
    }
    ContainerRequest first = unwilling.get(0);
    LOG.info("{} is to keep away from {} ({})", first.attemptID, host, mode);
    if (mode != Mode.ON) {
      return Optional.empty();
    }
    Optional<ContainerRequest> taker = taker(container, unwilling);
    if (taker.isPresent()) {
      return Optional.of(() -> allocator.give(container, taker.get()));
    }
    return Optional.of(
        isPatient(first)
            ? () -> allocator.giveBack(container, first)
            : () -> allocator.give(container, first));
  }

  /**
   * The hosts that every attempt that waits now keeps away from, so that a container there would go
   * back. There are none as soon as one of them takes what it gets.
   */
  Set<String> unwanted() {
    if (mode != Mode.ON || choosy.isEmpty()) {
      return Set.of();
    }
    Set<String> common = null;
    for (ContainerRequest request : (Iterable<ContainerRequest>) allocator.waiting()::iterator) {
      TaskAttemptId id = request.attemptID;
      if (!choosy.contains(id) || !isPatient(request)) {
        return Set.of();
      }
      Set<String> hosts = apart.hosts(allocator.task(id), id, allocator::given);
      if (common != null) {
        hosts.retainAll(common);
      }
      common = hosts;
    }
    return common == null ? Set.of() : common;
  }

  /** Another attempt for a container. */
  private Optional<ContainerRequest> taker(Container container, List<ContainerRequest> unwilling) {
    return Nearness.nearest(
        container,
        allocator.pending(unwilling.get(0).attemptID).values().stream()
            .filter(request -> !unwilling.contains(request) && allocator.fits(request, container)));
  }

  /** Whether an attempt goes on waiting for another node than those it avoids. */
  boolean isPatient(ContainerRequest request) {
    return System.currentTimeMillis() - request.requestTimeMs < apart.patience().toMillis();
  }

  /** Whether an attempt is not to run on a host. */
  boolean avoids(TaskAttemptId id, String host) {
    return mode == Mode.ON && wouldAvoid(id, host);
  }

  private boolean wouldAvoid(TaskAttemptId id, String host) {
    return apart.avoids(allocator.task(id), id, host, allocator::given);
  }
}
