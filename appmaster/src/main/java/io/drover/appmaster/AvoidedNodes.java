// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.speculator.NodeBlacklisting;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The nodes on which a job wants no containers: those that are slow, for good, and those that do
 * not answer, until they do. They are not on Hadoop's own blacklist, which is for nodes where
 * attempts fail. They do not count towards the share of nodes at which Hadoop ignores that list,
 * and do not come back when it does.
 *
 * <p>Nodes that do not answer are avoided however many they are, because a container there cannot
 * be started.
 *
 * <p>Nodes are added on the dispatcher thread and read on the allocator's.
 */
public final class AvoidedNodes {
  private final NodeBlacklisting blacklisting;
  private final Set<String> hosts = new LinkedHashSet<>();
  private Set<String> silent = Set.of();
  private int clusterNodes;

  /** Creates an empty set for one job, which may grow as far as the job's settings allow. */
  public AvoidedNodes(NodeBlacklisting blacklisting) {
    this.blacklisting = blacklisting;
  }

  /** Sets how many nodes the cluster has now. */
  public synchronized void clusterNodes(int nodes) {
    clusterNodes = nodes;
  }

  /**
   * Adds a node.
   *
   * @return whether it is avoided now; false if the job does not allow one more
   */
  synchronized boolean add(String host) {
    return hosts.contains(host)
        || (blacklisting.allowsOneMore(hosts.size(), clusterNodes) && hosts.add(host));
  }

  /** Replaces the nodes that do not answer. */
  synchronized void silent(Set<String> now) {
    silent = Set.copyOf(now);
  }

  /** Returns whether a node is avoided. */
  public synchronized boolean contains(String host) {
    return hosts.contains(host) || silent.contains(host);
  }

  /** Returns whether a node does not answer. */
  public synchronized boolean isSilent(String host) {
    return silent.contains(host);
  }

  /** Returns a copy of all avoided nodes, in no particular order. */
  public synchronized Set<String> all() {
    Set<String> all = new HashSet<>(hosts);
    all.addAll(silent);
    return all;
  }
}
