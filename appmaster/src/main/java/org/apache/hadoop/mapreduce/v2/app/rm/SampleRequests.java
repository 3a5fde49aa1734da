// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import io.drover.appmaster.TaskKindMapping;
import io.drover.appmaster.sampling.LateBinding;
import io.drover.appmaster.sampling.SampledJob;
import io.drover.core.model.TaskKind;
import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.core.sampling.OfferAnswer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.yarn.api.records.Container;

/**
 * Gives the containers of maps to a job with late binding: each goes to a map that takes a block of
 * its node, or back to the ResourceManager while the job may still wait for a better one.
 *
 * <p>A map asks for the hosts of all blocks of its group. As blocks are taken, the asks name hosts
 * that are no longer of use. Each time the number of blocks that may be taken has halved, the
 * waiting maps ask anew, for the hosts of those blocks. That is a few times in a job's life.
 */
final class SampleRequests {
  private final DroverContainerAllocator allocator;
  private final AntiAffinityRequests antiAffinity;
  private final SampledJob sampled;

  /** Attempts that wait for a container and whose maps have a block. */
  private final Set<TaskAttemptId> bound = new LinkedHashSet<>();

  /** How near the blocks are with which attempts take the containers that they get now. */
  private final Map<TaskAttemptId, JobCounter> taken = new HashMap<>();

  private int openWhenAsked = Integer.MAX_VALUE;

  SampleRequests(
      DroverContainerAllocator allocator, AntiAffinityRequests antiAffinity, SampledJob sampled) {
    this.allocator = allocator;
    this.antiAffinity = antiAffinity;
    this.sampled = sampled;
  }

  /** Returns whether the job binds its maps late. */
  boolean isOn() {
    return sampled.late().isPresent();
  }

  private LateBinding late() {
    return sampled.late().orElseThrow();
  }

  private Map<TaskAttemptId, ContainerRequest> waiting() {
    return allocator.getScheduledRequests().maps;
  }

  /** Decides what to do with a map's container. Returns empty if Hadoop should assign it. */
  Optional<Runnable> decide(Container container) {
    if (!isOn()
        || !RMContainerAllocator.PRIORITY_MAP.equals(container.getPriority())
        || allocator.limits().isReached(TaskKind.MAP)) {
      return Optional.empty();
    }
    String host = container.getNodeId().getHost();
    Optional<ContainerRequest> unbound = firstUnbound(container, host);
    Optional<ContainerRequest> bound = nearestBound(container, host);
    if (unbound.isEmpty() || bound.filter(request -> isLocal(request, host)).isPresent()) {
      return bound.map(request -> () -> allocator.give(container, request));
    }
    if (takes(unbound.get().attemptID, host)) {
      return unbound.map(request -> () -> allocator.give(container, request));
    }
    return Optional.of(
        bound.isPresent()
            ? () -> allocator.give(container, bound.get())
            : () -> allocator.giveBack(container, unbound.get()));
  }

  /** Returns the first request of a map without a block; all of them are alike. */
  private Optional<ContainerRequest> firstUnbound(Container container, String host) {
    for (ContainerRequest request : waiting().values()) {
      if (!late().isWaiting(request.attemptID)) {
        bound.add(request.attemptID);
      } else if (allocator.fits(request, container)
          && !antiAffinity.avoids(request.attemptID, host)) {
        return Optional.of(request);
      }
    }
    return Optional.empty();
  }

  private Optional<ContainerRequest> nearestBound(Container container, String host) {
    bound.removeIf(attempt -> !waiting().containsKey(attempt));
    return bound.stream()
        .map(waiting()::get)
        .filter(request -> allocator.fits(request, container))
        .filter(request -> !antiAffinity.avoids(request.attemptID, host))
        .min(Comparator.comparing(request -> nearness(request.attemptID, host)));
  }

  /** Returns how near the block is that a map with one would read on a host. */
  private BlockLocality nearness(TaskAttemptId attempt, String host) {
    return late()
        .nearness(attempt, host, ContainerLocality.rack(host))
        .orElse(BlockLocality.ELSEWHERE);
  }

  private boolean isLocal(ContainerRequest request, String host) {
    return nearness(request.attemptID, host) == BlockLocality.MACHINE;
  }

  /** Notes that an attempt asks for a container. */
  void sees(TaskAttemptId attempt) {
    if (isOn() && TaskKindMapping.of(attempt) == TaskKind.MAP && !late().isWaiting(attempt)) {
      bound.add(attempt);
    }
  }

  /** Returns whether a clone must not take a container, because its map takes no block there. */
  boolean declines(TaskAttemptId clone, String host) {
    return isOn() && late().isWaiting(clone) && !takes(clone, host);
  }

  /** Returns whether an attempt takes a container, with a block. */
  private boolean takes(TaskAttemptId attempt, String host) {
    OfferAnswer answer = late().offer(attempt, host, ContainerLocality.rack(host));
    answer.binding().ifPresent(block -> taken.put(attempt, counter(block.nearness())));
    return answer.binding().isPresent();
  }

  /**
   * Returns how near a map's container is to the block that the map has taken with it or reads
   * there. Empty if the job does not bind its maps late.
   */
  Optional<JobCounter> locality(TaskAttemptId attempt, String host) {
    JobCounter asTaken = taken.remove(attempt);
    return Optional.ofNullable(asTaken)
        .or(() -> isOn() ? Optional.of(counter(nearness(attempt, host))) : Optional.empty());
  }

  private static JobCounter counter(BlockLocality nearness) {
    return switch (nearness) {
      case MACHINE -> JobCounter.DATA_LOCAL_MAPS;
      case RACK -> JobCounter.RACK_LOCAL_MAPS;
      case ELSEWHERE -> JobCounter.OTHER_LOCAL_MAPS;
    };
  }

  /** Returns whether reduces must not start yet. */
  boolean holdsReduces() {
    return sampled.late().filter(late -> !late.mayReduce()).isPresent();
  }

  /** Lets the maps without a block ask for the hosts of the blocks that may still be taken. */
  void askAnew() {
    if (!isOn() || waiting().isEmpty()) {
      return;
    }
    int now = late().openCount();
    if (openWhenAsked == Integer.MAX_VALUE) {
      openWhenAsked = now; // the maps have asked for all of them
    }
    if (now == 0 || now > openWhenAsked / 2) {
      return;
    }
    openWhenAsked = now;
    List<List<String>> open = late().openHosts();
    List<ContainerRequest> unbound =
        waiting().values().stream()
            .filter(request -> RMContainerAllocator.PRIORITY_MAP.equals(request.priority))
            .filter(request -> late().isWaiting(request.attemptID))
            .toList();
    for (int i = 0; i < unbound.size(); i++) {
      Set<String> hosts = new LinkedHashSet<>();
      for (int block = i; block < open.size(); block += unbound.size()) {
        hosts.addAll(open.get(block));
      }
      ChangedRequest.ask(allocator, unbound.get(i), new ArrayList<>(hosts));
    }
  }
}
