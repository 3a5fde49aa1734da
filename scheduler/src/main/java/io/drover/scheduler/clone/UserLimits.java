// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.UsersManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Computes the limits of a queue's users in one partition as they are for ordinary demand. Requests
 * for clones count for nothing.
 *
 * <p>Hadoop counts every user who waits for something as active, also one who waits for clones
 * only. That lowers or raises the limit of all others. If there is no such user, the limit is
 * Hadoop's own. If there is one, it is computed here as {@code UsersManager.computeUserLimit} does,
 * without that user. Nothing changes in the scheduler.
 *
 * <p>An instance is valid for one round. No lock is held, so figures may be of different moments.
 */
final class UserLimits {
  private final ClusterView cluster;
  private final AbstractLeafQueue leaf;
  private final String partition;
  private final Set<String> waiting = new HashSet<>();
  private final Set<String> waitingForClonesOnly = new HashSet<>();
  private final Resource pendingOfClones = Resources.createResource(0, 0);

  /** Finds out which users wait, and for what. */
  UserLimits(ClusterView cluster, AbstractLeafQueue leaf, String partition) {
    this.cluster = cluster;
    this.leaf = leaf;
    this.partition = partition;
    for (FiCaSchedulerApp app : leaf.getAllApplications()) {
      for (SchedulerRequestKey key : app.getAppSchedulingInfo().getSchedulerKeys()) {
        if (cluster.isClone(app.getApplicationId(), key.getPriority())) {
          waitingForClonesOnly.add(app.getUser());
          Resources.addTo(pendingOfClones, cluster.pending(app, key, partition));
        } else {
          waiting.add(app.getUser());
        }
      }
    }
    waitingForClonesOnly.removeAll(waiting);
  }

  /** Returns the ordinary demand that waits in the queue, whether it is entitled to room or not. */
  Resource pending() {
    Resource all = leaf.getQueueResourceUsage().getPending(partition);
    return Resources.subtractNonNegative(all, pendingOfClones);
  }

  /** Returns how many users wait for ordinary containers, at least 1. */
  int active() {
    return Math.max(1, leaf.getUsersManager().getNumActiveUsers() - waitingForClonesOnly.size());
  }

  /** Returns what a user who waits for ordinary containers may use at this moment. */
  Resource now(String user) {
    return waitingForClonesOnly.isEmpty() || !waiting.contains(user)
        ? leaf.getResourceLimitForActiveUsers(
            user, cluster.total(), partition, SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY)
        : withoutClones(user);
  }

  /** Computes the limit without users who wait for clones only. */
  Resource withoutClones(String user) {
    ResourceCalculator calculator = cluster.calculator();
    Resource total = cluster.total(partition);
    Resource least = leaf.getMinimumAllocation();
    UsersManager users = leaf.getUsersManager();
    Resource capacity = leaf.getEffectiveCapacity(partition);
    Resource atLeast = Resources.max(calculator, total, capacity, least);
    Resource consumed =
        Resources.multiplyAndNormalizeUp(calculator, total, users.getUsageRatio(partition), least);
    Resource current =
        Resources.lessThan(calculator, total, consumed, atLeast)
            ? atLeast
            : Resources.add(consumed, least);
    Map<String, UsersManager.User> known = users.getUsers();
    Resource used = Resources.clone(least);
    float weights = 0;
    for (String one : waiting) {
      UsersManager.User active = known.get(one);
      if (active != null) {
        Resources.addTo(used, active.getUsed(partition));
        weights += active.getWeight();
      }
    }
    UsersManager.User self = known.get(user);
    float weight = self == null ? 1 : self.getWeight();
    Resource byUsers = Resources.divideAndCeil(calculator, used, weights > 0 ? weights : weight);
    Resource byShare =
        Resources.divideAndCeil(
            calculator, Resources.multiplyAndRoundDown(current, users.getUserLimit()), 100);
    Resource limit = Resources.max(calculator, total, byUsers, byShare);
    boolean unlimited = users.getUserLimitFactor() == -1 || capacity.equals(Resources.none());
    Resource most =
        unlimited
            ? leaf.getEffectiveMaxCapacityDown(partition, least)
            : Resources.multiplyAndRoundDown(atLeast, users.getUserLimitFactor());
    Resource rounded =
        Resources.roundUp(calculator, Resources.min(calculator, total, limit, most), least);
    return Resources.multiplyAndNormalizeDown(calculator, rounded, weight, least);
  }
}
