// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import io.drover.appmaster.ReducePlacer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverMapSplits;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.ResourceRequest;

/**
 * Requests reduces in their chosen racks, and gives each container to a reduce that wants its rack.
 *
 * <p>CapacityScheduler would hardly honour a request for a rack alone. It lets such a request wait
 * for missed opportunities, and a request for any node stands beside it. So the requests also name
 * the known hosts of the rack. While all waiting reduces are patient, the request for any node is
 * made strict ({@code relaxLocality} off), which bars the other racks.
 */
final class ReduceRequests {
  private final DroverContainerAllocator allocator;
  private final AntiAffinityRequests antiAffinity;
  private final ReducePlacer placer;
  private final Set<TaskAttemptId> aimed = new HashSet<>();
  private OptionalLong heldSince = OptionalLong.empty(); // System.nanoTime
  private boolean strict;

  ReduceRequests(
      DroverContainerAllocator allocator, AntiAffinityRequests antiAffinity, ReducePlacer placer) {
    this.allocator = allocator;
    this.antiAffinity = antiAffinity;
    this.placer = placer;
  }

  /** Returns whether racks are chosen for reduces. */
  boolean isOn() {
    return placer.isOn() && placer.isWorthwhile();
  }

  /** Returns whether an arriving container may be for a reduce that wants a rack. */
  boolean isAiming() {
    return placer.acts() && !aimed.isEmpty();
  }

  /** Notes the hosts on which an attempt may run. */
  void sees(String[] hosts) {
    for (String host : hosts) {
      placer.sees(host, ContainerLocality.rack(host));
    }
  }

  /**
   * Learns from a response of the ResourceManager which NodeManagers take containers: those with
   * new ones, and those that are reported to have come or gone. One that is being decommissioned
   * still works and serves outputs, but gets no new container.
   */
  void onResponse(AllocateResponse response) {
    for (Container container : response.getAllocatedContainers()) {
      String host = container.getNodeId().getHost();
      placer.works(host, ContainerLocality.rack(host));
    }
    for (NodeReport node : response.getUpdatedNodes()) {
      String host = node.getNodeId().getHost();
      NodeState state = node.getNodeState();
      if (state.isUnusable() || state == NodeState.DECOMMISSIONING) {
        placer.isGone(host, ContainerLocality.rack(host));
      } else {
        placer.works(host, ContainerLocality.rack(host));
      }
    }
  }

  /**
   * Returns whether reduces that could start should wait for a while until more is known.
   *
   * @param maps number of the job's maps
   * @param placed number of maps that run or are done
   */
  boolean holds(int maps, int placed) {
    if (!isOn() || !placer.acts() || placer.knowsEnough(maps, placed)) {
      return false;
    }
    heldSince = heldSince.isPresent() ? heldSince : OptionalLong.of(System.nanoTime());
    return System.nanoTime() - heldSince.getAsLong() < placer.patience().toNanos();
  }

  private Map<TaskAttemptId, ContainerRequest> waiting() {
    return allocator.getScheduledRequests().reduces;
  }

  /**
   * Chooses racks if reduces have been newly scheduled, and requests these there. Racks are chosen
   * for all reduces without a container, so one that has waited for a while may get another rack.
   * Then it is requested there instead. Otherwise the ResourceManager would go on to offer nodes of
   * the old rack, and a strict request for any node would bar the new rack. The reduce's patience
   * does not begin anew.
   */
  void aim() {
    List<ContainerRequest> fresh =
        waiting().values().stream().filter(r -> !aimed.contains(r.attemptID)).toList();
    if (!fresh.isEmpty()) {
      placer.place(withoutContainer(), runningMaps());
    }
    fresh.forEach(request -> aimed.add(request.attemptID));
    if (!placer.acts()) {
      return;
    }
    for (ContainerRequest request : fresh) {
      String wish = placer.wish(request.attemptID);
      Task task = allocator.getJob().getTask(request.attemptID.getTaskId());
      boolean isFirst = task.getAttempts().size() == 1; // a copy takes any other node
      if (isFirst && wish != null && request.racks.length == 0) {
        aim(request, wish, System.currentTimeMillis());
      }
    }
    for (ContainerRequest request : List.copyOf(waiting().values())) {
      String wish = placer.wish(request.attemptID);
      if (wish != null && request.racks.length > 0 && !request.racks[0].equals(wish)) {
        aim(request, wish, request.requestTimeMs);
      }
    }
  }

  private Map<String, Double> runningMaps() {
    Map<String, Double> running = new HashMap<>();
    allocator
        .getAssignedRequests()
        .maps
        .forEach(
            (id, container) -> {
              if (!placer.isCounted(id)) {
                String rack = ContainerLocality.rack(container.getNodeId().getHost());
                Task map = allocator.getJob().getTask(id.getTaskId());
                double input = ReducePlacer.weight(DroverMapSplits.length(map));
                running.merge(rack, input, Double::sum);
              }
            });
    return running;
  }

  private List<TaskId> withoutContainer() {
    Set<TaskId> given = new HashSet<>();
    allocator.getAssignedRequests().reduces.keySet().forEach(id -> given.add(id.getTaskId()));
    List<TaskId> open = new ArrayList<>();
    // sorted by number, so that equal jobs get equal placements
    for (Task task : new TreeMap<>(allocator.getJob().getTasks(TaskType.REDUCE)).values()) {
      if (!task.isFinished() && !given.contains(task.getID())) {
        open.add(task.getID());
      }
    }
    return open;
  }

  private void aim(ContainerRequest old, String rack, long requestTimeMs) {
    ChangedRequest.ask(allocator, old, placer.hosts(rack), List.of(rack), requestTimeMs);
  }

  /**
   * Makes the request for any node strict while all waiting reduces want a rack and are patient, so
   * that the other racks are barred. To be called before requests are sent.
   *
   * @param steers whether Drover assigns containers now; if not, no rack is barred
   */
  void keepStrict(boolean steers) {
    Collection<ContainerRequest> requests = waiting().values();
    boolean before = strict;
    strict =
        steers
            && isAiming()
            && !requests.isEmpty()
            && requests.stream().allMatch(r -> r.racks.length > 0 && isPatient(r));
    if (before != strict && !requests.isEmpty()) {
      ChangedRequest.sendAgain(allocator, requests.iterator().next());
    }
  }

  /** Returns whether a request is for reduces on any node but must be met in their racks. */
  boolean isStrict(ResourceRequest request) {
    return strict
        && RMContainerAllocator.PRIORITY_REDUCE.equals(request.getPriority())
        && ResourceRequest.isAnyLocation(request.getResourceName());
  }

  /**
   * Returns whether a reduce still waits for its rack. Its patience starts with its request, even
   * if the job's limit of running reduces lets it run only later. If each reduce waited anew, a job
   * that runs one reduce at a time would wait that long for every reduce while the wanted racks are
   * full.
   */
  private boolean isPatient(ContainerRequest request) {
    Job job = allocator.getJob();
    boolean mapsRun = job.getCompletedMaps() < job.getTotalMaps();
    return AntiAffinityRequests.isWithin(placer.patience(mapsRun), request.requestTimeMs);
  }

  /** Decides what to do with a reduce's container. Returns empty if no reduce here wants it. */
  Optional<Runnable> decide(Container container) {
    String host = container.getNodeId().getHost();
    String rack = ContainerLocality.rack(host);
    ContainerRequest takesAny = null;
    ContainerRequest first = null;
    for (ContainerRequest request : waiting().values()) {
      if (allocator.fits(request, container) && !antiAffinity.avoids(request.attemptID, host)) {
        boolean isAimed = request.racks.length > 0;
        if (isAimed && rack.equals(request.racks[0])) {
          return Optional.of(() -> allocator.give(container, request));
        }
        if (takesAny == null && !(isAimed && isPatient(request))) {
          takesAny = request;
        }
        first = first == null ? request : first;
      }
    }
    if (first == null) {
      return Optional.empty();
    }
    ContainerRequest taker = takesAny;
    ContainerRequest refusing = first;
    return Optional.of(
        taker != null
            ? () -> allocator.give(container, taker)
            : () -> allocator.giveBack(container, refusing));
  }
}
