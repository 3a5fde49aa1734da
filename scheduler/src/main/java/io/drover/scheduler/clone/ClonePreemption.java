// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.clone;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.thirdparty.com.google.common.collect.ArrayListMultimap;
import org.apache.hadoop.thirdparty.com.google.common.collect.ListMultimap;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Finds the clones that are in the way of ordinary demand. Waiting demand is placed on the nodes:
 * first where it wants to be, if necessary in place of clones; then where room is free; then where
 * the newest clones can make room. A clone stays if its end would make no room for anybody on its
 * node. On a closed machine only demand is placed that can run nowhere else, as in {@link
 * GatedPlacementAllocator}.
 *
 * <p>An instance is valid for one round.
 */
final class ClonePreemption {
  private final ClusterView cluster;
  private final String partition;
  private final ResourceCalculator calculator;
  private final Map<NodeId, Resource> free = new LinkedHashMap<>();
  private final ListMultimap<String, NodeId> nodesOf = ArrayListMultimap.create();
  private final ListMultimap<NodeId, RMContainer> clonesOn = ArrayListMultimap.create();
  private final Set<NodeId> reserved = new LinkedHashSet<>();

  /** The names of the nodes of closed machines. */
  private final Map<NodeId, String> closed = new HashMap<>();

  private final List<RMContainer> newestFirst;
  private final Set<RMContainer> victims = new LinkedHashSet<>();
  private final Set<PendingDemand> hindered = new LinkedHashSet<>();

  /**
   * Reads the free room of the nodes.
   *
   * @param newestFirst the clones of the partition
   */
  ClonePreemption(ClusterView cluster, String partition, List<RMContainer> newestFirst) {
    this.cluster = cluster;
    this.partition = partition;
    this.calculator = cluster.calculator();
    this.newestFirst = newestFirst;
    for (FiCaSchedulerNode node : cluster.nodes(partition)) {
      NodeId id = node.getNodeID();
      free.put(id, Resources.clone(node.getUnallocatedResource()));
      nodesOf.put(node.getNodeName(), id);
      nodesOf.put(node.getRackName(), id);
      if (node.getReservedContainer() != null) {
        reserved.add(id);
      }
      if (cluster.isClosed(node)) {
        closed.put(id, node.getNodeName());
      }
    }
    for (RMContainer clone : newestFirst) {
      clonesOn.put(clone.getAllocatedNode(), clone);
    }
  }

  /**
   * Returns the clones that must go so that as much waiting demand as possible finds room.
   *
   * @param going clones that go anyway
   */
  Set<RMContainer> victims(List<PendingDemand> waiting, List<RMContainer> going) {
    going.forEach(this::goes);
    for (PendingDemand one : waiting) {
      int before = victims.size();
      layOut(one);
      if (victims.size() > before) {
        hindered.add(one);
      }
    }
    return victims;
  }

  /** Returns the demand that waits for the room of clones. */
  Set<PendingDemand> hindered() {
    return hindered;
  }

  private void goes(RMContainer clone) {
    NodeId node = clone.getAllocatedNode();
    victims.add(clone);
    clonesOn.remove(node, clone);
    free.computeIfPresent(node, (id, room) -> Resources.add(room, clone.getAllocatedResource()));
  }

  private void layOut(PendingDemand waiting) {
    Resource size = waiting.size();
    Set<NodeId> barred = barred(waiting);
    int left = waiting.count();
    for (NodeId node : waiting.reserved()) {
      left -= left > 0 && makeRoom(node, size) ? 1 : 0;
    }
    for (Map.Entry<String, Integer> place : waiting.places().entrySet()) {
      left -= in(place.getKey(), barred, size, Math.min(left, place.getValue()));
    }
    if (waiting.anywhere()) {
      left -= whereFree(barred, size, left);
      whereClonesAre(barred, size, left);
    }
  }

  /** Returns the nodes that are reserved, or closed to a demand. */
  private Set<NodeId> barred(PendingDemand waiting) {
    if (closed.isEmpty() || !cluster.fitsOnOpen(partition, waiting.size())) {
      return reserved;
    }
    Set<NodeId> barred = new HashSet<>(reserved);
    closed.forEach(
        (node, name) -> {
          if (waiting.anywhere() || waiting.places().getOrDefault(name, 0) == 0) {
            barred.add(node);
          }
        });
    return barred;
  }

  private int in(String place, Set<NodeId> barred, Resource size, int count) {
    int placed = 0;
    for (NodeId node : nodesOf.get(place)) {
      while (placed < count && !barred.contains(node) && makeRoom(node, size)) {
        placed++;
      }
    }
    return placed;
  }

  private int whereFree(Set<NodeId> barred, Resource size, int count) {
    int placed = 0;
    for (NodeId node : free.keySet()) {
      while (placed < count && !barred.contains(node) && take(node, size)) {
        placed++;
      }
    }
    return placed;
  }

  private void whereClonesAre(Set<NodeId> barred, Resource size, int count) {
    int left = count;
    for (Iterator<RMContainer> clones = newestFirst.iterator(); left > 0 && clones.hasNext(); ) {
      NodeId node = clones.next().getAllocatedNode();
      while (left > 0 && !barred.contains(node) && makeRoom(node, size)) {
        left--;
      }
    }
  }

  /** Takes room on a node. Its newest clones go if that is necessary and makes enough room. */
  private boolean makeRoom(NodeId node, Resource size) {
    if (take(node, size)) {
      return true;
    }
    Resource room = free.get(node);
    if (room == null) {
      return false;
    }
    Resource made = Resources.clone(room);
    List<RMContainer> clones = clonesOn.get(node);
    int gone = 0;
    while (gone < clones.size() && !Resources.fitsIn(calculator, size, made)) {
      Resources.addTo(made, clones.get(gone).getAllocatedResource());
      gone++;
    }
    if (!Resources.fitsIn(calculator, size, made)) {
      return false;
    }
    List.copyOf(clones.subList(0, gone)).forEach(this::goes);
    return take(node, size);
  }

  private boolean take(NodeId node, Resource size) {
    Resource room = free.get(node);
    if (room == null || !Resources.fitsIn(calculator, size, room)) {
      return false;
    }
    Resources.subtractFrom(room, size);
    return true;
  }
}
