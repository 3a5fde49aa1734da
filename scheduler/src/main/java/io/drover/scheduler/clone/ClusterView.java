// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import io.drover.core.clone.ClonePriority;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/** Reads the scheduler's state, as far as clones need it, without the scheduler's lock. */
final class ClusterView {
  private final CapacityScheduler scheduler;
  private volatile Set<String> types = Set.of();

  ClusterView(CapacityScheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Sets the types of applications that have clones. */
  void types(Collection<String> cloning) {
    types = Set.copyOf(cloning);
  }

  /** Returns whether an application's requests and containers of a priority are for clones. */
  boolean isClone(ApplicationId application, Priority priority) {
    return priority != null
        && ClonePriority.isClone(priority.getPriority())
        && isCloning(application);
  }

  /** Returns whether an application is of a type that has clones. */
  boolean isCloning(ApplicationId application) {
    RMApp app = scheduler.getRMContext().getRMApps().get(application);
    return app != null && types.contains(app.getApplicationType());
  }

  ResourceCalculator calculator() {
    return scheduler.getResourceCalculator();
  }

  /** Returns the size of the smallest container. */
  Resource smallest() {
    return scheduler.getMinimumResourceCapability();
  }

  Resource total() {
    return scheduler.getClusterResource();
  }

  Resource total(String partition) {
    return scheduler.getRMContext().getNodeLabelManager().getResourceByLabel(partition, total());
  }

  /** Returns what can be used in a partition: all but the free room of closed machines. */
  Resource usable(String partition) {
    Resource total = total(partition);
    return scheduler instanceof CloneManager.Holder holder
        ? Resources.subtractNonNegative(total, holder.closedRoom(partition))
        : total;
  }

  /** Returns what is in use or reserved. */
  Resource used(String partition) {
    return root().getQueueResourceUsage().getUsed(partition);
  }

  /** Returns what is requested and not yet given. */
  Resource pending(String partition) {
    return root().getQueueResourceUsage().getPending(partition);
  }

  /** Returns what an application waits for at a key in a partition. */
  Resource pending(FiCaSchedulerApp app, SchedulerRequestKey key, String partition) {
    AppPlacementAllocator<?> asks = app.getAppPlacementAllocator(key);
    if (asks == null || !partition.equals(asks.getPrimaryRequestedNodePartition())) {
      return Resources.none();
    }
    PendingAsk ask = asks.getPendingAsk(ResourceRequest.ANY);
    return Resources.multiply(ask.getPerAllocationResource(), ask.getCount());
  }

  /** Returns whether the scheduler takes a type of resource into account. */
  boolean counts(String type) {
    return ResourceInformation.MEMORY_URI.equals(type)
        || calculator() instanceof DominantResourceCalculator;
  }

  /**
   * Returns the share of what can be used in a partition that is in use: of memory or, if they
   * count, of processors, whichever is more. Other types are left out, because some nodes may have
   * none.
   */
  double utilisation(Resource used, String partition) {
    Resource total = usable(partition);
    double memory = PartitionCeiling.share(used, total, ResourceInformation.MEMORY_URI);
    return counts(ResourceInformation.VCORES_URI)
        ? Math.max(memory, PartitionCeiling.share(used, total, ResourceInformation.VCORES_URI))
        : memory;
  }

  /**
   * Returns how many containers of a size stay below a ceiling. If a number does not fit, no larger
   * one does, so the number is found by binary search.
   *
   * @param used what is in use in the partition; the containers are added to it
   * @param most how many are wanted
   */
  int fitBelow(PartitionCeiling ceiling, String partition, Resource used, Resource size, int most) {
    Resource total = usable(partition);
    long fit = 0;
    long tooMany = most + 1L;
    while (tooMany - fit > 1) {
      long middle = fit + (tooMany - fit) / 2;
      Resource with = Resources.add(used, Resources.multiply(size, (double) middle));
      if (ceiling.admits(with, total, size)) {
        fit = middle;
      } else {
        tooMany = middle;
      }
    }
    Resources.addTo(used, Resources.multiply(size, (double) fit));
    return (int) fit;
  }

  /**
   * Returns whether the scheduler gives containers. After a failover it waits for a while, because
   * nodes and their containers have yet to register. What can be seen then is not the whole
   * cluster.
   */
  boolean isReady() {
    RMContext context = scheduler.getRMContext();
    return !context.isWorkPreservingRecoveryEnabled()
        || context.isSchedulerReadyForAllocatingContainers();
  }

  private CSQueue root() {
    return scheduler.getRootQueue();
  }

  List<AbstractLeafQueue> leaves() {
    return scheduler.getCapacitySchedulerQueueManager().getQueues().values().stream()
        .filter(AbstractLeafQueue.class::isInstance)
        .map(AbstractLeafQueue.class::cast)
        .toList();
  }

  List<String> partitions() {
    return scheduler.getNodeTracker().getPartitions();
  }

  /** Returns the nodes of a partition, those of closed machines included. */
  List<FiCaSchedulerNode> nodes(String partition) {
    List<FiCaSchedulerNode> nodes = scheduler.getNodeTracker().getNodesPerPartition(partition);
    return nodes == null ? List.of() : nodes; // null after its last node has gone
  }

  /** Returns whether a node's machine gets no new containers. */
  boolean isClosed(FiCaSchedulerNode node) {
    return scheduler instanceof CloneManager.Holder holder
        && holder.isClosed(node.getNodeID().getHost());
  }

  /** Returns whether a container fits on a machine that is not closed, once that is empty. */
  boolean fitsOnOpen(String partition, Resource size) {
    return !(scheduler instanceof CloneManager.Holder holder) || holder.fitsOnOpen(partition, size);
  }

  Optional<FiCaSchedulerNode> node(NodeId id) {
    return Optional.ofNullable(scheduler.getNode(id));
  }

  /** Returns all applications that run or wait. */
  List<FiCaSchedulerApp> applications() {
    return leaves().stream().flatMap(leaf -> leaf.getAllApplications().stream()).toList();
  }

  /** Returns the running attempt of an application, if it is this one. */
  Optional<FiCaSchedulerApp> application(ApplicationAttemptId attempt) {
    return Optional.ofNullable(scheduler.getApplicationAttempt(attempt))
        .filter(app -> app.getApplicationAttemptId().equals(attempt) && !app.isStopped());
  }
}
