// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.UsersManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Computes what ordinary demand would get in one partition if there were no clones and enough room.
 * That is as much as the maximum capacity of its queues and the limit of its user allow, as in
 * {@code CapacityScheduler} itself. What clones hold does not count.
 *
 * <p>A user's limit rises while a queue is served beyond its capacity, because Hadoop computes it
 * again from what is then in use ({@code UsersManager.computeUserLimit}). By the present limit, a
 * demand of a hundred containers would be entitled to only one or two a round.
 *
 * <p>An instance is valid for one round.
 */
final class Entitlement {
  private final ClusterView cluster;
  private final String partition;
  private final List<RMContainer> newestFirst;
  private final Map<CSQueue, Account> queues = new HashMap<>();
  private final Map<AbstractLeafQueue, UserLimits> limits = new HashMap<>();
  private final Map<CSQueue, Map<String, Account>> users = new HashMap<>();

  /** The limit of a queue or a user, and what counts against it. */
  private static final class Account {
    private final Resource limit;
    private final Resource now;
    private final Resource used;
    private final Resource held = Resources.createResource(0, 0);
    private final Resource wanted = Resources.createResource(0, 0);

    /**
     * Creates an account on which nothing is held or wanted yet.
     *
     * @param limit what may be used in the end
     * @param now what may be used at this moment, at most the limit
     * @param used what is in use, including by clones
     */
    Account(Resource limit, Resource now, Resource used) {
      this.limit = limit;
      this.now = now;
      this.used = Resources.clone(used);
    }

    /** Adds what a clone holds. */
    void hold(Resource size) {
      Resources.addTo(held, size);
    }

    /** Adds waiting containers that are entitled to room. */
    void want(Resource size, long containers) {
      Resources.addTo(wanted, Resources.multiply(size, (double) containers));
    }

    /** Returns what is left if clones do not count; negative if the account is overdrawn. */
    Resource left() {
      return Resources.subtract(Resources.add(limit, held), Resources.add(used, wanted));
    }

    /** Returns whether clones hold what somebody is entitled to. */
    boolean isOverdrawn(ResourceCalculator calculator) {
      boolean inTheEnd = !Resources.fitsIn(calculator, Resources.add(used, wanted), limit);
      boolean atOnce = !Resources.isNone(wanted) && !Resources.fitsIn(calculator, used, now);
      return !Resources.isNone(held) && (inTheEnd || atOnce);
    }

    /** Subtracts what a clone held. */
    void drop(Resource size) {
      Resources.subtractFrom(used, size);
      Resources.subtractFrom(held, size);
    }
  }

  /**
   * Creates the accounts of a partition.
   *
   * @param newestFirst the clones of the partition
   */
  Entitlement(ClusterView cluster, String partition, List<RMContainer> newestFirst) {
    this.cluster = cluster;
    this.partition = partition;
    this.newestFirst = newestFirst;
    for (RMContainer clone : newestFirst) {
      accounts(clone).forEach(account -> account.hold(clone.getAllocatedResource()));
    }
  }

  /** Returns the accounts on which a clone's container counts. */
  private List<Account> accounts(RMContainer clone) {
    return cluster
        .application(clone.getApplicationAttemptId())
        .map(app -> accounts((AbstractLeafQueue) app.getQueue(), app.getUser()))
        .orElse(List.of());
  }

  /** Returns the account of the user, then those of the queue and its parents. */
  private List<Account> accounts(AbstractLeafQueue leaf, String user) {
    List<Account> accounts = new ArrayList<>();
    accounts.add(
        users
            .computeIfAbsent(leaf, q -> new HashMap<>())
            .computeIfAbsent(user, name -> account(leaf, name)));
    for (CSQueue queue = leaf; queue != null; queue = queue.getParent()) {
      accounts.add(queues.computeIfAbsent(queue, this::account));
    }
    return accounts;
  }

  private Account account(CSQueue queue) {
    Resource used = queue.getQueueResourceUsage().getUsed(partition);
    Resource limit = queue.getEffectiveMaxCapacity(partition);
    return new Account(limit, limit, used);
  }

  private Account account(AbstractLeafQueue leaf, String user) {
    Resource now = limits(leaf).now(user);
    UsersManager.User known = leaf.getUsersManager().getUser(user);
    Resource used = known == null ? Resources.none() : known.getUsed(partition);
    float weight = known == null ? 1 : known.getWeight();
    return new Account(limitInTheEnd(leaf, now, weight), now, used);
  }

  private UserLimits limits(AbstractLeafQueue leaf) {
    return limits.computeIfAbsent(leaf, q -> new UserLimits(cluster, q, partition));
  }

  /**
   * Returns a user's limit when the queue has been given everything that it waits for. It is the
   * present limit plus the user's share of that, or the queue's minimum share of all that is then
   * in use, whichever is more, but at most what one user may ever have.
   *
   * @param now the present limit
   */
  private Resource limitInTheEnd(AbstractLeafQueue leaf, Resource now, float weight) {
    Resource pending = limits(leaf).pending();
    Resource inUse = Resources.add(leaf.getQueueResourceUsage().getUsed(partition), pending);
    int active = limits(leaf).active();
    Resource byUsers = Resources.add(now, Resources.multiply(pending, weight / (double) active));
    Resource byShare = Resources.multiply(inUse, weight * leaf.getUserLimit() / 100.0);
    Resource most = Resources.multiply(mostOfAUser(leaf), weight);
    Resource more = max(byUsers, byShare);
    return max(now, Resources.min(cluster.calculator(), cluster.total(), more, most));
  }

  private Resource mostOfAUser(AbstractLeafQueue leaf) {
    Resource capacity = leaf.getEffectiveCapacity(partition);
    boolean unlimited = leaf.getUserLimitFactor() == -1 || Resources.isNone(capacity);
    return unlimited
        ? leaf.getEffectiveMaxCapacity(partition)
        : Resources.multiply(capacity, leaf.getUserLimitFactor());
  }

  private Resource max(Resource one, Resource other) {
    return Resources.max(cluster.calculator(), cluster.total(), one, other);
  }

  /** Returns the ordinary demand that waits and is entitled to room. */
  List<PendingDemand> waiting() {
    List<PendingDemand> waiting = new ArrayList<>();
    for (AbstractLeafQueue leaf : cluster.leaves()) {
      if (!Resources.isNone(leaf.getQueueResourceUsage().getPending(partition))) {
        for (FiCaSchedulerApp app : leaf.getApplications()) {
          addWaiting(leaf, app, waiting);
        }
      }
    }
    return waiting;
  }

  private void addWaiting(
      AbstractLeafQueue leaf, FiCaSchedulerApp app, List<PendingDemand> waiting) {
    for (SchedulerRequestKey key : app.getAppSchedulingInfo().getSchedulerKeys()) {
      AppPlacementAllocator<?> asks = app.getAppPlacementAllocator(key);
      if (asks == null
          || !partition.equals(asks.getPrimaryRequestedNodePartition())
          || cluster.isClone(app.getApplicationId(), key.getPriority())) {
        continue;
      }
      PendingAsk ask = asks.getPendingAsk(ResourceRequest.ANY);
      if (ask.getCount() <= 0) {
        continue; // a heartbeat has just given the last one; the rest has no size
      }
      Resource size = ask.getPerAllocationResource();
      int count = entitled(accounts(leaf, app.getUser()), size, ask.getCount());
      if (count > 0) {
        waiting.add(waiting(app, key, asks, size, count));
      }
    }
  }

  private static PendingDemand waiting(
      FiCaSchedulerApp app,
      SchedulerRequestKey key,
      AppPlacementAllocator<?> asks,
      Resource size,
      int count) {
    // Rack names begin with a slash. In reverse order they come after all hosts.
    Map<String, Integer> places = new TreeMap<>(Comparator.<String>reverseOrder());
    asks.getResourceRequests()
        .forEach((name, request) -> places.put(name, request.getNumContainers()));
    places.remove(ResourceRequest.ANY);
    List<NodeId> reserved =
        app.getReservedContainers().stream()
            .filter(container -> key.equals(container.getReservedSchedulerKey()))
            .map(RMContainer::getReservedNode)
            .toList();
    return new PendingDemand(
        app.getApplicationAttemptId(),
        key,
        size,
        count,
        places,
        asks.canDelayTo(ResourceRequest.ANY),
        reserved);
  }

  /** Returns how many containers of a size fit on all accounts, and adds them to these. */
  private int entitled(List<Account> accounts, Resource size, int asked) {
    long count = Math.min(asked, fittingForUser(accounts.get(0), size));
    for (Account queue : accounts.subList(1, accounts.size())) {
      count = Math.min(count, fitting(queue.left(), size));
    }
    for (Account account : accounts) {
      account.want(size, count);
    }
    return (int) count;
  }

  /** Hadoop gives a user who is not yet above the limit one container of any size. */
  private long fittingForUser(Account user, Resource size) {
    Resource left = user.left();
    boolean isAbove =
        Resources.lessThan(cluster.calculator(), cluster.total(), left, Resources.none());
    return isAbove ? 0 : fitting(left, size) + 1;
  }

  private long fitting(Resource room, Resource size) {
    return Resources.fitsIn(cluster.calculator(), Resources.none(), room)
        ? cluster.calculator().computeAvailableContainers(room, size)
        : 0;
  }

  /** Returns the newest clones that must go because their accounts are overdrawn, on any node. */
  List<RMContainer> atLimits() {
    List<RMContainer> going = new ArrayList<>();
    for (RMContainer clone : newestFirst) {
      List<Account> accounts = accounts(clone);
      if (accounts.stream().anyMatch(account -> account.isOverdrawn(cluster.calculator()))) {
        accounts.forEach(account -> account.drop(clone.getAllocatedResource()));
        going.add(clone);
      }
    }
    return going;
  }
}
