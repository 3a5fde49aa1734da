// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Decides at the last moment whether a clone gets a container. It does if utilisation stays below
 * the ceiling with it, if it fits now, and if no ordinary demand has come since the last {@link
 * CloneRound} found that none is entitled to the room. All three are read from counters, so that a
 * node's heartbeat is not held up.
 *
 * <p>The caller holds the scheduler's lock, except in asynchronous scheduling. Then the answer is a
 * guess, and is checked again under the lock when the container is committed.
 *
 * <p>If the gate fails, it is shut for that partition until the next round has processed it. The
 * {@link CloneManager}'s circuit breaker counts the error; a node's heartbeat never sees it.
 */
final class CloneGate {
  /** What the last round left: the ceiling, and the demand that does not close the gate. */
  private record State(PartitionCeiling ceiling, Resource known) {}

  /** The most that {@link #room} returns; nobody requests more at once. */
  private static final int MOST_ROOM = 1_000;

  private final ClusterView cluster;
  private final Map<String, State> partitions = new ConcurrentHashMap<>();
  private final LongAdder refused = new LongAdder();
  private volatile boolean enforcing;
  private final Consumer<Throwable> failed;

  /**
   * Creates a gate that is shut.
   *
   * @param failed called with what went wrong
   */
  CloneGate(ClusterView cluster, Consumer<Throwable> failed) {
    this.cluster = cluster;
    this.failed = failed;
  }

  /**
   * Takes over what a round has found in a partition.
   *
   * @param ceiling of the partition
   * @param known the demand that does not close the gate: of clones, and of others not entitled to
   *     it
   */
  void set(String partition, PartitionCeiling ceiling, Resource known) {
    partitions.put(partition, new State(ceiling, known));
  }

  /** Notes that a clone has got a container, which it no longer requests. */
  void onAllocated(String partition, Resource size) {
    partitions.computeIfPresent(
        partition, (p, state) -> new State(state.ceiling, Resources.subtract(state.known, size)));
  }

  /** Admits nothing until a round says otherwise. */
  void shut() {
    partitions.clear();
  }

  /** Admits nothing in one partition until a round says otherwise. */
  void shut(String partition) {
    partitions.remove(partition);
  }

  /** Switches the gate on or off. While it is off it admits everything. */
  void enforce(boolean on) {
    enforcing = on;
  }

  /** Returns whether a clone may have a container of a size on a node. */
  boolean admits(SchedulerNode node, Resource size) {
    if (!enforcing) {
      return true;
    }
    try {
      boolean admitted = isRoom(node, size);
      if (!admitted) {
        refused.increment();
      }
      return admitted;
    } catch (Throwable cause) {
      partitions.remove(node.getPartition());
      failed.accept(cause);
      return false;
    }
  }

  private boolean isRoom(SchedulerNode node, Resource size) {
    State state = partitions.get(node.getPartition());
    if (state == null || !Resources.fitsIn(size, node.getUnallocatedResource())) {
      return false;
    }
    String partition = node.getPartition();
    Resource used = Resources.add(cluster.used(partition), size);
    return state.ceiling.admits(used, cluster.usable(partition), size)
        && Resources.fitsIn(cluster.pending(partition), state.known);
  }

  /**
   * Returns for how many more containers of a size a partition has room. If no round has processed
   * the partition, because there were no clones, this is a guess by utilisation alone.
   */
  int room(String partition, Resource size, PartitionCeiling unseen) {
    State state = partitions.get(partition);
    PartitionCeiling ceiling = state == null ? unseen : state.ceiling;
    if (state != null && !Resources.fitsIn(cluster.pending(partition), state.known)) {
      return 0;
    }
    Resource used = Resources.clone(cluster.used(partition));
    return cluster.fitBelow(ceiling, partition, used, size, MOST_ROOM);
  }

  /** Returns how often a clone was refused. */
  long refused() {
    return refused.sum();
  }
}
