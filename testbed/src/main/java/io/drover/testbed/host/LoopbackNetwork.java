// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.host;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Hosts that are loopback addresses. Each cluster takes a random range {@code 127.a.b.0/24} of its
 * own, so that two on one machine do not collide.
 *
 * @param master the address of HDFS, ResourceManager and JobHistoryServer
 * @param hosts the hosts, in order
 * @param ports free ports of the master's address
 */
public record LoopbackNetwork(String master, List<Host> hosts, List<Integer> ports)
    implements HostNetwork {
  private static final int FIRST_HOST = 11;
  private static final int FIRST_PORT = 20_000;
  private static final int LAST_PORT = 32_000;

  /** Picks random addresses and free ports. */
  public static LoopbackNetwork pick(
      int racks, int hostsPerRack, int ports, SplittableRandom random) throws IOException {
    String range = "127." + random.nextInt(1, 255) + "." + random.nextInt(1, 255) + ".";
    List<Host> hosts = new ArrayList<>();
    for (int i = 0; i < racks * hostsPerRack; i++) {
      hosts.add(
          new Host("n" + (i + 1), range + (FIRST_HOST + i), "/rack" + (i / hostsPerRack + 1)));
    }
    String master = range + "10";
    return new LoopbackNetwork(master, List.copyOf(hosts), freePorts(master, ports, random));
  }

  @Override
  public List<String> localNames() throws IOException {
    return List.of("localhost", InetAddress.getLocalHost().getHostName());
  }

  @Override
  public boolean isApart() {
    return false;
  }

  @Override
  public List<String> on(String host) {
    return List.of();
  }

  @Override
  public void close() {
    // nothing was made
  }

  /**
   * Returns ports that are free now. They are below the range from which a kernel assigns ports, so
   * no other process is assigned one of them before its daemon has bound it.
   */
  private static List<Integer> freePorts(String address, int count, SplittableRandom random)
      throws IOException {
    List<Integer> ports = new ArrayList<>();
    while (ports.size() < count) {
      int port = random.nextInt(FIRST_PORT, LAST_PORT);
      if (!ports.contains(port) && isFree(address, port)) {
        ports.add(port);
      }
    }
    return Collections.unmodifiableList(ports);
  }

  private static boolean isFree(String address, int port) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(address, port));
      return true;
    } catch (BindException e) {
      return false;
    }
  }
}
