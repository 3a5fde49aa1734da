// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/**
 * Which machines and racks there are, at one moment: copied once a round, and not for each word
 * that is said of one.
 *
 * @param hosts by their names, each by the name itself: what is kept of a report refers to these
 *     and not to the report's own
 * @param racks in their order
 */
record KnownCluster(Map<String, String> hosts, Set<String> racks) {
  static final KnownCluster EMPTY = new KnownCluster(Map.of(), Set.of());

  static KnownCluster of(Collection<? extends SchedulerNode> nodes) {
    Map<String, String> hosts = new HashMap<>();
    Set<String> racks = new TreeSet<>();
    for (SchedulerNode node : nodes) {
      String host = node.getNodeID().getHost();
      hosts.put(host, host);
      racks.add(node.getRackName());
    }
    return new KnownCluster(hosts, racks);
  }
}
