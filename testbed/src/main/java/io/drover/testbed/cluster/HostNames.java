// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import io.drover.testbed.host.Host;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.net.NetUtils;

/**
 * What the names of hosts mean to clients in this process, which find AppMasters by them. The hosts
 * of all clusters have the same names. They are those of the cluster that started last, and when it
 * is closed, those of the one before.
 */
final class HostNames {
  private static final List<List<Host>> KNOWN = new ArrayList<>();

  private HostNames() {}

  /** Lets the names mean the hosts of a cluster. */
  static synchronized void learn(List<Host> hosts) {
    KNOWN.add(hosts);
    resolve(hosts);
  }

  /** Lets the names mean what they meant without the cluster of these hosts. */
  static synchronized void forget(List<Host> hosts) {
    KNOWN.removeIf(known -> known == hosts);
    KNOWN.forEach(HostNames::resolve);
  }

  private static void resolve(List<Host> hosts) {
    hosts.forEach(host -> NetUtils.addStaticResolution(host.name(), host.address()));
  }
}
