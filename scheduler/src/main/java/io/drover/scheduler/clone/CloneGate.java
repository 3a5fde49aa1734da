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
 * Decides at the last moment whether a clone gets a container: utilisation stays below the ceiling
 * with it, it fits now, and no ordinary demand has come since the last {@link CloneRound} found
 * that none is entitled to the room. All three are read from counters, so that a node's heartbeat
 * is not held up.
 *
 * <p>Called with the scheduler's lock held, or without in asynchronous scheduling: then the answer
 * is a guess, and asked for again when the container is committed, under the lock.
 *
 * <p>Where it fails it is shut for that partition, until the next round has processed it. The
 * {@link CloneManager}'s circuit breaker counts the error; a node's heartbeat never sees it.
 */
final class CloneGate {
  /** What the last round left: the ceiling, and what may be asked for without closing the gate. */
  private record State(PartitionCeiling ceiling, Resource known) {}

  /** Nobody asks for more at once. */
  private static final int MOST_ROOM = 1_000;

  private final ClusterView cluster;
  private final Map<String, State> partitions = new ConcurrentHashMap<>();
  private final LongAdder refused = new LongAdder();
  private volatile boolean enforcing;
  private final Consumer<Throwable> failed;

  /**
   * A gate that is shut.
   *
   * @param failed is told what went wrong
   */
  CloneGate(ClusterView cluster, Consumer<Throwable> failed) {
    this.cluster = cluster;
    this.failed = failed;
  }

  /**
   * A round has processed a partition.
   *
   * @param ceiling of the partition
   * @param known what is asked for: by clones, and by others that are not entitled to it
   */
  void set(String partition, PartitionCeiling ceiling, Resource known) {
    partitions.put(partition, new State(ceiling, known));
  }

  /** A clone has got a container, for which it asks no longer. */
  void onAllocated(String partition, Resource size) {
    partitions.computeIfPresent(
        partition, (p, state) -> new State(state.ceiling, Resources.subtract(state.known, size)));
  }

  /** Nothing is admitted until a round says otherwise. */
  void shut() {
    partitions.clear();
  }

  /** The same in one partition. */
  void shut(String partition) {
    partitions.remove(partition);
  }

  /** Whether it has a say. Without one it admits everything. */
  void enforce(boolean on) {
    enforcing = on;
  }

  /** Whether a clone may have a container of a size on a node. */
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
    return state.ceiling.admits(used, cluster.total(partition), size)
        && Resources.fitsIn(cluster.pending(partition), state.known);
  }

  /**
   * How many more containers of a size there is room for in a partition. Where no round has looked,
   * since there were no clones, it is a guess by utilisation alone.
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

  /** How often a clone was refused. */
  long refused() {
    return refused.sum();
  }
}
