// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.host;

import java.io.IOException;
import java.util.SplittableRandom;

/** What the hosts of a cluster on this machine are. */
public enum HostKind {
  /** Loopback addresses. Needs no rights, and gives hosts nothing of their own but an address. */
  LOOPBACK("loopback"),
  /**
   * Network namespaces, with a network stack, a host name, links and a share of the processor of
   * their own. Needs root and iproute2.
   */
  NAMESPACES("namespaces");

  private final String key;

  HostKind(String key) {
    this.key = key;
  }

  /** Returns the name on command lines. */
  public String key() {
    return key;
  }

  /**
   * Makes a network of such hosts.
   *
   * @param ports how many ports of the master are needed
   * @throws IOException if it cannot be made; then nothing of it is left
   */
  public HostNetwork network(int racks, int hostsPerRack, int ports) throws IOException {
    SplittableRandom random = new SplittableRandom();
    return switch (this) {
      case LOOPBACK -> LoopbackNetwork.pick(racks, hostsPerRack, ports, random);
      case NAMESPACES -> NamespaceNetwork.create(racks, hostsPerRack, ports, random);
    };
  }
}
