// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.host;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The network of a cluster on this machine: the names, addresses and ports of its hosts. */
public interface HostNetwork extends AutoCloseable {
  /** Returns the name of the host of the masters. */
  String MASTER = "master";

  /** Returns the address of HDFS, ResourceManager and JobHistoryServer. */
  String master();

  /** Returns the hosts, in order. */
  List<Host> hosts();

  /** Returns free ports of the master's address. */
  List<Integer> ports();

  /** Returns the names that all processes of the cluster have for 127.0.0.1. */
  List<String> localNames() throws IOException;

  /** Returns whether each host has DataNodes and addresses that only it can bind. */
  boolean isApart();

  /**
   * Returns the command that starts another command on a host: its words come before those of the
   * other. The process keeps its working directory, its standard streams and its process id.
   *
   * @param host the name of a host, or {@link #MASTER}
   */
  List<String> on(String host);

  /** Removes everything that belongs to the network. Its processes have ended. */
  @Override
  void close() throws IOException;

  /** Returns the master's address with one of its ports, by the port's index. */
  default String endpoint(int port) {
    return master() + ":" + ports().get(port);
  }

  /** Returns the lines of a hosts file for all processes of the cluster. */
  default List<String> hostsFile() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("127.0.0.1 " + String.join(" ", localNames()));
    lines.add(master() + " " + MASTER);
    hosts().forEach(host -> lines.add(host.address() + " " + host.name()));
    return lines;
  }

  /** Returns the table for Hadoop's topology, with names and addresses. */
  default String rackTable() {
    return hosts().stream()
        .flatMap(h -> List.of(h.name() + "=" + h.rack(), h.address() + "=" + h.rack()).stream())
        .collect(Collectors.joining(","));
  }
}
