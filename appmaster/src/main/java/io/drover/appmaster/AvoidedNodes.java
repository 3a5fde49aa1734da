// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.speculator.NodeBlacklisting;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;

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
  private final Predicate<String> isSlowSource;
  private final Set<String> hosts = new LinkedHashSet<>();
  private Set<String> silent = Set.of();
  private int clusterNodes;

  /**
   * Creates an empty set for one job.
   *
   * @param blacklisting how far the set may grow
   * @param isSlowSource whether data comes slowly from a node; called on any thread
   */
  public AvoidedNodes(NodeBlacklisting blacklisting, Predicate<String> isSlowSource) {
    this.blacklisting = blacklisting;
    this.isSlowSource = isSlowSource;
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

  /** Returns whether others cannot read from a node, or hardly: it is silent, or its link slow. */
  public boolean isHardToRead(String host) {
    return isSilent(host) || isSlowSource.test(host);
  }

  private synchronized boolean isSilent(String host) {
    return silent.contains(host);
  }

  /** Returns a copy of all avoided nodes, in no particular order. */
  public synchronized Set<String> all() {
    Set<String> all = new HashSet<>(hosts);
    all.addAll(silent);
    return all;
  }
}
