// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.drover.testbed.host.HostNetwork;
import io.drover.testbed.host.NamespaceNetwork;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Hosts that are network namespaces, without a cluster on them. */
// In a thread of their own, since a read of a pipe goes on after an interrupt.
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NamespaceNetworkIT {
  private static final int PORT = 7_000;
  private static final int MEGABYTE = 1_000_000;

  /** So narrow, in bit/s, that a megabyte takes longer than on any machine that is only busy. */
  private static final long NARROW = 2_000_000;

  private static final long LEAST_MILLIS = 3_200;

  @TempDir private Path directory;

  @BeforeEach
  void skipWhereTheyCannotBe() {
    assumeThat(NamespaceNetwork.objection()).as("why there are no namespaces").isEmpty();
  }

  private static List<String> java(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-Djava.net.preferIPv4Stack=true"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(arguments));
    return command;
  }

  private Process start(HostNetwork network, String host, String... arguments) throws IOException {
    Path names = directory.resolve("hosts");
    Files.write(names, network.hostsFile());
    List<String> command = new ArrayList<>(network.on(host));
    command.addAll(java(NetworkPeer.class.getName()));
    command.add(command.size() - 1, "-Djdk.net.hosts.file=" + names);
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private String run(HostNetwork network, String host, String... arguments) throws Exception {
    Process process = start(network, host, arguments);
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(host + " failed");
    }
    return printed.strip();
  }

  private long millis(HostNetwork network, String from, String to) throws Exception {
    return Long.parseLong(
        run(network, from, "send", to, Integer.toString(PORT), Integer.toString(MEGABYTE)));
  }

  private static NamespaceNetwork network() throws IOException {
    return NamespaceNetwork.create(2, 2, 1, new SplittableRandom());
  }

  @Test
  void linksHaveTheirRatesAndCanBeCut() throws Exception {
    try (NamespaceNetwork network = network()) {
      assertThat(run(network, "n3", "name")).isEqualTo("n3");
      Process server = start(network, "n3", "serve", Integer.toString(PORT));
      try (BufferedReader said = server.inputReader(StandardCharsets.UTF_8)) {
        assertThat(said.readLine()).isEqualTo("ready");
        long unlimited = millis(network, "n1", "n3");
        network.uplink("/rack2", OptionalLong.of(NARROW));
        assertThat(millis(network, "n1", "n3"))
            .isBetween(LEAST_MILLIS, 40_000L)
            .isGreaterThan(unlimited);
        assertThat(millis(network, "n4", "n3")).as("in its rack").isLessThan(LEAST_MILLIS);
        network.uplink("/rack2", OptionalLong.empty());
        network.hostLink("n3", OptionalLong.of(NARROW));
        assertThat(millis(network, "n4", "n3")).isBetween(LEAST_MILLIS, 40_000L);
        network.hostLink("n3", OptionalLong.empty());
        assertThat(millis(network, HostNetwork.MASTER, "n3")).isLessThan(LEAST_MILLIS);
        network.cutRack("/rack2", true);
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> millis(network, "n1", "n3"));
        assertThat(millis(network, "n4", "n3")).isLessThan(LEAST_MILLIS);
        network.cutRack("/rack2", false);
        network.cutHost("n3", true);
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> millis(network, "n4", "n3"));
        network.cutHost("n3", false);
        assertThat(millis(network, "n1", "n3")).isLessThan(LEAST_MILLIS);
      } finally {
        server.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void networksBesideEachOtherDoNotMeet() throws Exception {
    try (NamespaceNetwork one = network();
        NamespaceNetwork other = network()) {
      assertThat(one.master()).isNotEqualTo(other.master());
      Process server = start(one, "n1", "serve", Integer.toString(PORT));
      try (BufferedReader said = server.inputReader(StandardCharsets.UTF_8)) {
        assertThat(said.readLine()).isEqualTo("ready");
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> millis(other, "n3", "n1"));
        other.cutHost("n1", true);
        assertThat(millis(one, "n3", "n1")).isLessThan(40_000);
      } finally {
        server.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void processesOfAHostShareItsPartOfTheProcessorAndStopTogether() throws Exception {
    try (NamespaceNetwork network = network()) {
      // so little that a process gets more of a processor that twenty want
      network.groups().limit("n1", OptionalDouble.of(0.05));
      assertThat(Double.parseDouble(run(network, "n1", "work", "2000"))).isBetween(0.01, 0.1);
      network.groups().limit("n1", OptionalDouble.empty());
      assertThat(Double.parseDouble(run(network, "n1", "work", "2000"))).isGreaterThan(0.1);
      network.groups().freeze("n2", true);
      Process frozen = start(network, "n2", "name");
      assertThat(frozen.waitFor(2, TimeUnit.SECONDS)).isFalse();
      network.groups().freeze("n2", false);
      assertThat(frozen.waitFor(3, TimeUnit.MINUTES)).isTrue();
      assertThat(frozen.exitValue()).isZero();
    }
  }

  /** Makes a network, says how its names begin, and waits for its end. */
  public static final class Owner {
    private Owner() {}

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws Exception {
      NamespaceNetwork network = network();
      String namespace =
          network.on("n1").stream().filter(word -> word.endsWith("-n1")).findFirst().orElseThrow();
      System.out.println(namespace.substring(0, namespace.length() - "-n1".length()));
      System.in.read();
    }
  }

  private static List<String> leftOf(String prefix) throws IOException {
    List<String> left = new ArrayList<>();
    for (String place :
        List.of("/run/netns", "/sys/class/net", "/sys/fs/cgroup/cpu", "/sys/fs/cgroup")) {
      if (Files.isDirectory(Path.of(place))) {
        try (Stream<Path> all = Files.list(Path.of(place))) {
          all.map(Path::toString).filter(name -> name.contains(prefix)).forEach(left::add);
        }
      }
    }
    return left;
  }

  @Test
  void nothingIsLeftWhenItsOwnerIsKilled() throws Exception {
    Process owner =
        new ProcessBuilder(java(Owner.class.getName()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = owner.inputReader(StandardCharsets.UTF_8)) {
      String prefix = said.readLine();
      assertThat(leftOf(prefix)).hasSizeGreaterThan(8);
      owner.destroyForcibly().waitFor();
      await().atMost(JobsUnderTest.LIMIT).until(() -> leftOf(prefix).isEmpty());
    }
  }
}
