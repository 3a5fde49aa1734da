// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import io.drover.core.clone.ClonePriority;
import io.drover.scheduler.evidence.SlowNodeOffers;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.DiagnosticsCollector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * Chooses nodes as Hadoop does, but skips machines that are closed, and asks the {@link CloneGate}
 * about clones. A node that a request must not use is skipped before anything is proposed for it:
 * nothing is reserved, no missed opportunity is counted, and the next request gets its turn. A
 * request that can be satisfied on closed machines only is satisfied there, because it would wait
 * for as long as they are closed: one that names such a machine and allows no other place, and one
 * for which no open machine of the partition is large enough. Requests that are not for clones also
 * pass machines over that others call slow, as {@link SlowNodeOffers} says.
 *
 * @param <N> Hadoop's kind of node
 */
public final class GatedPlacementAllocator<N extends SchedulerNode>
    extends LocalityAppPlacementAllocator<N> {
  /** Null if the scheduler is not Drover's. */
  private CloneManager.Holder holder;

  /** Null if the priority is not a clone's. */
  private CloneManager clones;

  /** Null if the scheduler is not Drover's, and for clones, whose AppMaster chooses machines. */
  private SlowNodeOffers.Patience patience;

  /** Creates an allocator. Hadoop calls this by reflection. */
  public GatedPlacementAllocator() {}

  @Override
  public void initialize(AppSchedulingInfo application, SchedulerRequestKey key, RMContext rm) {
    super.initialize(application, key, rm);
    if (rm.getScheduler() instanceof CloneManager.Holder scheduler) {
      holder = scheduler;
      clones = ClonePriority.isClone(key.getPriority().getPriority()) ? scheduler.clones() : null;
      patience =
          clones == null
              ? scheduler.slowNodeOffers().patience(application.getApplicationAttemptId())
              : null;
    }
  }

  /** Returns whether this class places an application's requests. */
  static boolean isUsedBy(AppSchedulingInfo application) {
    String name = application.getDefaultResourceRequestAppPlacementType();
    return GatedPlacementAllocator.class.getName().equals(name);
  }

  @Override
  public boolean precheckNode(
      SchedulerNode node, SchedulingMode mode, Optional<DiagnosticsCollector> diagnostics) {
    return super.precheckNode(node, mode, diagnostics)
        && !isClosed(node)
        && !isPassedOver(node)
        && isAdmitted(node);
  }

  private boolean isPassedOver(SchedulerNode node) {
    if (patience == null || !patience.mayPassOver(node) || !isForAnyRack()) {
      return false;
    }
    PendingAsk ask = getPendingAsk(ResourceRequest.ANY);
    return patience.passesOver(node, ask.getPerAllocationResource(), ask.getCount());
  }

  @Override
  public ContainerRequest allocate(SchedulerRequestKey key, NodeType type, SchedulerNode node) {
    if (patience != null) {
      patience.allocated(node);
    }
    return super.allocate(key, type, node);
  }

  private boolean isClosed(SchedulerNode node) {
    return holder != null
        && holder.isClosed(node.getNodeID().getHost())
        && !isOnlyFor(node.getNodeName())
        && fitsOnOpen(node.getPartition());
  }

  /** Returns whether the request fits on an open machine of the node's partition or of its own. */
  private boolean fitsOnOpen(String partition) {
    Resource size = getPendingAsk(ResourceRequest.ANY).getPerAllocationResource();
    return holder.fitsOnOpen(partition, size)
        || holder.fitsOnOpen(getPrimaryRequestedNodePartition(), size);
  }

  /**
   * Returns whether a node is one of those that the request names, and it allows no others. Workers
   * that make replicas name hosts of a rack and need none of them.
   */
  private boolean isOnlyFor(String node) {
    return !isForWorkers() && !isForAnyRack() && getOutstandingAsksCount(node) > 0;
  }

  private boolean isForWorkers() {
    Priority priority = schedulerRequestKey.getPriority();
    return priority.getPriority() == ClonePriority.REPLICA_WORKER
        && clones != null
        && clones.isClone(appSchedulingInfo.getApplicationId(), priority);
  }

  /** Returns whether the request may be satisfied outside the racks that it names. */
  private boolean isForAnyRack() {
    ResourceRequest anywhere = getResourceRequests().get(ResourceRequest.ANY);
    return anywhere == null || anywhere.getRelaxLocality();
  }

  @Override
  public boolean canAllocate(NodeType type, SchedulerNode node) {
    return super.canAllocate(type, node) && isAdmitted(node);
  }

  private boolean isAdmitted(SchedulerNode node) {
    if (clones == null) {
      return true;
    }
    try {
      return isAdmittedNow(node);
    } catch (Throwable cause) {
      clones.breaker().failed(cause);
      return false;
    }
  }

  /** Checks again, because clones may have been switched on or off since {@link #initialize}. */
  private boolean isAdmittedNow(SchedulerNode node) {
    return !clones.isClone(appSchedulingInfo.getApplicationId(), schedulerRequestKey.getPriority())
        || clones
            .gate()
            .admits(node, getPendingAsk(ResourceRequest.ANY).getPerAllocationResource());
  }
}
