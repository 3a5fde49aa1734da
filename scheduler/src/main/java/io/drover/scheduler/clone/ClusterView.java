// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import io.drover.core.clone.CloneCeiling;
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
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/** What the scheduler knows, as clones need it. Everything here is read without its lock. */
final class ClusterView {
  private final CapacityScheduler scheduler;
  private volatile Set<String> types = Set.of();

  ClusterView(CapacityScheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** From now on these types of applications have clones. */
  void types(Collection<String> cloning) {
    types = Set.copyOf(cloning);
  }

  /** Whether what an application asks for or holds at a priority is a clone's. */
  boolean isClone(ApplicationId application, Priority priority) {
    if (priority == null || !ClonePriority.isClone(priority.getPriority())) {
      return false;
    }
    RMApp app = scheduler.getRMContext().getRMApps().get(application);
    return app != null && types.contains(app.getApplicationType());
  }

  ResourceCalculator calculator() {
    return scheduler.getResourceCalculator();
  }

  Resource total() {
    return scheduler.getClusterResource();
  }

  Resource total(String partition) {
    return scheduler.getRMContext().getNodeLabelManager().getResourceByLabel(partition, total());
  }

  /** What is in use or reserved. */
  Resource used(String partition) {
    return root().getQueueResourceUsage().getUsed(partition);
  }

  /** What is asked for and not yet given. */
  Resource pending(String partition) {
    return root().getQueueResourceUsage().getPending(partition);
  }

  /** The share of a partition that is in use, by the resource of which most is. */
  double utilisation(Resource used, String partition) {
    Resource total = total(partition);
    double most = share(used.getMemorySize(), total.getMemorySize());
    if (calculator() instanceof DominantResourceCalculator) {
      for (ResourceInformation one : used.getResources()) {
        most = Math.max(most, share(one.getValue(), total.getResourceValue(one.getName())));
      }
    }
    return most;
  }

  /**
   * How many containers of a size stay below a ceiling.
   *
   * @param used what is in use in the partition; they are added to it
   * @param most how many are wanted
   */
  int fitBelow(CloneCeiling ceiling, String partition, Resource used, Resource size, int most) {
    int count = 0;
    while (count < most && ceiling.admits(utilisation(Resources.add(used, size), partition))) {
      Resources.addTo(used, size);
      count++;
    }
    return count;
  }

  /** Not as Hadoop's calculators do, whose floats would call seven tenths less than 0.7. */
  private static double share(long used, long total) {
    return total > 0 ? (double) used / total : used > 0 ? 1 : 0;
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

  List<FiCaSchedulerNode> nodes(String partition) {
    return scheduler.getNodeTracker().getNodesPerPartition(partition);
  }

  Optional<FiCaSchedulerNode> node(NodeId id) {
    return Optional.ofNullable(scheduler.getNode(id));
  }

  /** The running attempt of an application, if it is this one. */
  Optional<FiCaSchedulerApp> application(ApplicationAttemptId attempt) {
    return Optional.ofNullable(scheduler.getApplicationAttempt(attempt))
        .filter(app -> app.getApplicationAttemptId().equals(attempt) && !app.isStopped());
  }
}
