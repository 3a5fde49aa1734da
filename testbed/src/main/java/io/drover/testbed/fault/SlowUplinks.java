// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.fault;

import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.host.Host;
import io.drover.testbed.host.NamespaceNetwork;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Uplinks of all racks that carry little, and count what they carry. */
public final class SlowUplinks implements AutoCloseable {
  private final NamespaceNetwork network;
  private final List<String> racks;
  private final List<Long> before;

  private SlowUplinks(NamespaceNetwork network, List<String> racks) throws IOException {
    this.network = network;
    this.racks = racks;
    this.before = carried();
  }

  /**
   * Begins now.
   *
   * @param bitsPerSecond in each direction, above 0
   * @throws IOException if the cluster's racks have no uplinks of their own
   */
  public static SlowUplinks begin(DroverCluster cluster, long bitsPerSecond) throws IOException {
    NamespaceNetwork network = cluster.namespaces();
    List<String> racks = cluster.hosts().stream().map(Host::rack).distinct().toList();
    SlowUplinks uplinks = new SlowUplinks(network, racks);
    try {
      for (String rack : racks) {
        network.uplink(rack, OptionalLong.of(bitsPerSecond));
      }
      return uplinks;
    } catch (IOException e) {
      try {
        uplinks.close();
      } catch (IOException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  /** Returns how many bytes the busiest uplink has carried since the begin, in one direction. */
  public long busiestBytes() throws IOException {
    List<Long> now = carried();
    long most = 0;
    for (int i = 0; i < now.size(); i++) {
      most = Math.max(most, now.get(i) - before.get(i));
    }
    return most;
  }

  /** Returns what each uplink has carried up, and down. */
  private List<Long> carried() throws IOException {
    List<Long> bytes = new ArrayList<>();
    for (String rack : racks) {
      NamespaceNetwork.Carried carried = network.uplinkCarried(rack);
      bytes.add(carried.up());
      bytes.add(carried.down());
    }
    return List.copyOf(bytes);
  }

  @Override
  public void close() throws IOException {
    IOException first = null;
    for (String rack : racks) {
      try {
        network.uplink(rack, OptionalLong.empty());
      } catch (IOException e) { // the others can still be reset
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
