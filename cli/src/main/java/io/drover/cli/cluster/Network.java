// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Names, addresses and ports of a cluster. Each cluster takes a range {@code 127.a.b.0/24} of its
 * own by chance, so that two on one machine do not meet.
 *
 * @param master the address of HDFS, ResourceManager and JobHistoryServer
 * @param hosts the hosts, in order
 * @param ports free ports of the master's address
 */
record Network(String master, List<Host> hosts, List<Integer> ports) {
  private static final int PORTS = 10;
  private static final int FIRST_HOST = 11;

  /** Picks addresses and ports. */
  static Network pick(int racks, int hostsPerRack, SplittableRandom random) throws IOException {
    String range = "127." + random.nextInt(1, 255) + "." + random.nextInt(1, 255) + ".";
    List<Host> hosts = new ArrayList<>();
    for (int i = 0; i < racks * hostsPerRack; i++) {
      hosts.add(
          new Host("n" + (i + 1), range + (FIRST_HOST + i), "/rack" + (i / hostsPerRack + 1)));
    }
    String master = range + "10";
    return new Network(master, List.copyOf(hosts), freePorts(master));
  }

  /** The master's address with its port of that number. */
  String endpoint(int port) {
    return master + ":" + ports.get(port);
  }

  /** The lines of a hosts file that knows the cluster and this machine. */
  List<String> hostsFile() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("127.0.0.1 localhost " + InetAddress.getLocalHost().getHostName());
    lines.add(master + " master");
    hosts.forEach(host -> lines.add(host.address() + " " + host.name()));
    return lines;
  }

  /** The table for {@link RackTable}, with names and addresses. */
  String rackTable() {
    return hosts.stream()
        .flatMap(h -> List.of(h.name() + "=" + h.rack(), h.address() + "=" + h.rack()).stream())
        .collect(Collectors.joining(","));
  }

  private static List<Integer> freePorts(String address) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    try {
      for (int i = 0; i < PORTS; i++) {
        ServerSocket socket = new ServerSocket();
        sockets.add(socket);
        socket.bind(new InetSocketAddress(address, 0));
        ports.add(socket.getLocalPort());
      }
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
    return Collections.unmodifiableList(ports);
  }
}
