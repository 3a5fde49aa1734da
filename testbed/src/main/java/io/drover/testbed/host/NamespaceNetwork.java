// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Hosts that are network namespaces. Each host has a network stack, a host name and control groups
 * of its own, and a link to the switch of its rack. The racks' switches have an uplink to a core
 * switch each, where the master is. This process is the client: it has a link to the core switch.
 *
 * <pre>
 *   n1 --+                               +-- n3
 *        +-- rack1 == core == rack2 --+--+
 *   n2 --+             | \            +-- n4
 *                 master  this process
 * </pre>
 *
 * <p>Links are pairs of virtual interfaces, and switches are bridges in namespaces of their own.
 * Every link can be given a rate in both directions.
 */
public final class NamespaceNetwork implements HostNetwork {
  private static final String CORE = "core";
  private static final int FIRST_PORT = 20_000;

  /** Names of everything that the network makes begin with this. */
  private final String prefix;

  private final String range;
  private final List<Host> hosts;
  private final List<Integer> ports;
  private final ControlGroups groups;
  private final NetworkKeeper keeper;

  private NamespaceNetwork(
      String prefix, String range, List<Host> hosts, List<Integer> ports, NetworkKeeper keeper) {
    this.prefix = prefix;
    this.range = range;
    this.hosts = hosts;
    this.ports = ports;
    this.groups = new ControlGroups(prefix);
    this.keeper = keeper;
  }

  /** Returns why there can be no such network here, and what to do about it; empty if there can. */
  public static Optional<String> objection() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return Optional.of("network namespaces need Linux");
    }
    for (String tool : List.of("ip", "tc", "unshare", "hostname")) {
      if (SystemCommand.find(tool).isEmpty()) {
        return Optional.of(
            "there is no "
                + tool
                + ": install iproute2, util-linux and hostname (Debian and Ubuntu: apt-get install"
                + " iproute2 util-linux hostname)");
      }
    }
    String trial = "drtry" + ProcessHandle.current().pid();
    try {
      SystemCommand.run("ip netns add " + trial);
      SystemCommand.run("ip netns del " + trial);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          "no network namespace can be made; run this as root (" + e.getMessage() + ")");
    }
  }

  /**
   * Makes a network.
   *
   * @param count how many ports of the master are needed
   * @throws IOException if it cannot be made; then nothing of it is left
   */
  public static NamespaceNetwork create(
      int racks, int hostsPerRack, int count, SplittableRandom random) throws IOException {
    Optional<String> objection = objection();
    if (objection.isPresent()) {
      throw new IOException(objection.get());
    }
    String prefix = "dr" + Integer.toString(random.nextInt(36 * 36 * 36, 36 * 36 * 36 * 36), 36);
    String range = freeRange(random);
    List<Host> hosts = new ArrayList<>();
    for (int i = 0; i < racks * hostsPerRack; i++) {
      int rack = i / hostsPerRack + 1;
      hosts.add(new Host("n" + (i + 1), range + rack + "." + (i + 1), "/rack" + rack));
    }
    List<Integer> ports = IntStream.range(FIRST_PORT, FIRST_PORT + count).boxed().toList();
    NetworkKeeper keeper = NetworkKeeper.start(prefix, ControlGroups.directories(prefix));
    NamespaceNetwork network =
        new NamespaceNetwork(prefix, range, List.copyOf(hosts), ports, keeper);
    boolean made = false;
    try {
      network.make();
      made = true;
      return network;
    } finally {
      if (!made) {
        network.close();
      }
    }
  }

  /** Returns the beginning of the addresses of a network that this machine does not use. */
  private static String freeRange(SplittableRandom random) throws IOException {
    Set<String> used = new HashSet<>();
    NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .map(InetAddress::getHostAddress)
        .forEach(address -> used.add(address.replaceFirst("\\.\\d+\\.\\d+$", ".")));
    String range;
    do {
      range = "10." + random.nextInt(64, 192) + ".";
    } while (used.contains(range));
    return range;
  }

  private void make() throws IOException {
    addSwitch(CORE);
    for (String rack : racks()) {
      addSwitch(switchOf(rack));
      link(switchOf(rack), "uplink", CORE, switchOf(rack));
      plugIn(switchOf(rack), "uplink");
      plugIn(CORE, switchOf(rack));
    }
    addHost(MASTER, master(), CORE);
    for (Host host : hosts) {
      addHost(host.name(), host.address(), switchOf(host.rack()));
    }
    ip("link add " + prefix + " type veth peer name client netns " + namespace(CORE));
    ip("addr add " + range + "0.1/16 dev " + prefix);
    ip("link set dev " + prefix + " up");
    in(CORE, "link set dev client up");
    plugIn(CORE, "client");
    groups.make(MASTER);
    for (Host host : hosts) {
      groups.make(host.name());
    }
  }

  private List<String> racks() {
    return hosts.stream().map(Host::rack).distinct().toList();
  }

  private static String switchOf(String rack) {
    return rack.substring(1); // names of namespaces and interfaces have no slash
  }

  private void addNamespace(String name) throws IOException {
    ip("netns add " + namespace(name));
    in(name, "link set dev lo up");
  }

  private void addSwitch(String name) throws IOException {
    addNamespace(name);
    in(name, "link add switch type bridge forward_delay 0 stp_state 0");
    in(name, "link set dev switch up");
  }

  private void addHost(String name, String address, String rackSwitch) throws IOException {
    addNamespace(name);
    link(name, "eth0", rackSwitch, name);
    plugIn(rackSwitch, name);
    in(name, "addr add " + address + "/16 dev eth0");
  }

  private void link(String one, String oneEnd, String other, String otherEnd) throws IOException {
    in(
        one,
        "link add " + oneEnd + " type veth peer name " + otherEnd + " netns " + namespace(other));
    in(one, "link set dev " + oneEnd + " up");
    in(other, "link set dev " + otherEnd + " up");
  }

  private void plugIn(String into, String end) throws IOException {
    in(into, "link set dev " + end + " master switch");
  }

  private String namespace(String name) {
    return prefix + "-" + name;
  }

  private static void ip(String words) throws IOException {
    SystemCommand.run("ip " + words);
  }

  private void in(String name, String words) throws IOException {
    SystemCommand.run("ip -n " + namespace(name) + " " + words);
  }

  // --- what a cluster asks

  @Override
  public String master() {
    return range + "0.10";
  }

  @Override
  public List<Host> hosts() {
    return hosts;
  }

  @Override
  public List<Integer> ports() {
    return ports;
  }

  @Override
  public List<String> localNames() {
    return List.of("localhost");
  }

  @Override
  public boolean isApart() {
    return true;
  }

  @Override
  public List<String> on(String host) {
    // Before the namespace is entered, because there /sys shows no control groups.
    String joining =
        groups.processFiles(host).stream()
            .map(file -> "echo $$ > " + file + " && ")
            .collect(Collectors.joining());
    List<String> command = new ArrayList<>();
    command.addAll(List.of("/bin/sh", "-c", joining + "exec \"$@\"", "sh"));
    command.add(SystemCommand.find("ip").orElseThrow().toString());
    command.addAll(List.of("netns", "exec", namespace(host), "unshare", "--uts"));
    command.addAll(List.of("/bin/sh", "-c", "hostname \"$1\" && shift && exec \"$@\"", "sh", host));
    return List.copyOf(command);
  }

  // --- what can go wrong

  /**
   * Gives the link of a host a rate in each direction.
   *
   * @param bitsPerSecond above 0; empty for as much as the machine can do
   */
  public void hostLink(String host, OptionalLong bitsPerSecond) throws IOException {
    shape(host, "eth0", bitsPerSecond);
    shape(switchOf(rackOf(host)), host, bitsPerSecond);
  }

  /** Gives the uplink of a rack a rate in each direction. */
  public void uplink(String rack, OptionalLong bitsPerSecond) throws IOException {
    shape(switchOf(rack), "uplink", bitsPerSecond);
    shape(CORE, switchOf(rack), bitsPerSecond);
  }

  /** Returns what the uplink of a rack has carried since the network was made. */
  public Carried uplinkCarried(String rack) throws IOException {
    String read =
        SystemCommand.run(
            "ip netns exec "
                + namespace(switchOf(rack))
                + " cat /sys/class/net/uplink/statistics/tx_bytes"
                + " /sys/class/net/uplink/statistics/rx_bytes");
    String[] bytes = read.strip().split("\\s+");
    return new Carried(Long.parseLong(bytes[0]), Long.parseLong(bytes[1]));
  }

  /**
   * What a link has carried.
   *
   * @param up bytes from the rack to others
   * @param down bytes from others to the rack
   */
  public record Carried(long up, long down) {}

  /** Cuts the link of a host, or joins it again. Nobody is told; packets are lost. */
  public void cutHost(String host, boolean isCut) throws IOException {
    in(switchOf(rackOf(host)), "link set dev " + host + (isCut ? " down" : " up"));
  }

  /** Cuts the uplink of a rack, or joins it again. */
  public void cutRack(String rack, boolean isCut) throws IOException {
    in(CORE, "link set dev " + switchOf(rack) + (isCut ? " down" : " up"));
  }

  /** Returns what limits and stops the processes of hosts. */
  public ControlGroups groups() {
    return groups;
  }

  private String rackOf(String host) {
    return hosts.stream()
        .filter(one -> one.name().equals(host))
        .map(Host::rack)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no host " + host));
  }

  private void shape(String name, String end, OptionalLong rate) throws IOException {
    String at = "tc -n " + namespace(name) + " qdisc ";
    if (rate.isPresent()) {
      SystemCommand.run(
          at
              + String.format(
                  Locale.ROOT,
                  "replace dev %s root tbf rate %dbit burst 64kb limit 512kb",
                  end,
                  rate.getAsLong()));
    } else if (!SystemCommand.run(at + "show dev " + end + " root").contains("noqueue")) {
      SystemCommand.run(at + "del dev " + end + " root");
    }
  }

  @Override
  public void close() throws IOException {
    keeper.close();
  }
}
