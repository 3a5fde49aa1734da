// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.drover.channel.ChannelClient;
import io.drover.core.clone.ClonePriority;
import io.drover.core.config.ClusterSettings;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.machine.Quarantine.Cause;
import io.drover.core.machine.Quarantine.Term;
import io.drover.scheduler.quarantine.NodeQuarantine;
import io.drover.scheduler.quarantine.NodeQuarantine.Quarantined;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeDecommissioningEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines of a real ResourceManager that get no new containers. */
class NodeQuarantineIT {
  private static final Duration HOUR = Duration.ofHours(1);

  private static NodeQuarantine quarantine(MockCluster cluster) {
    return ((DroverCapacityScheduler) cluster.scheduler()).statistics().quarantine();
  }

  private static List<String> hosts(MockCluster.App app) {
    return app.live().stream()
        .filter(container -> !container.isAMContainer())
        .map(container -> container.getAllocatedNode().getHost())
        .toList();
  }

  @Test
  void closedMachineGetsNoContainersAndKeepsThoseItHas() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.ORDINARY, 1, 4);
      cluster.heartbeat(3);
      assertThat(hosts(app)).hasSize(4).containsOnly(cluster.host(3));
      assertThat(quarantine(cluster).add(cluster.host(2), HOUR, "disk")).isEmpty();
      assertThat(quarantine(cluster).add(cluster.host(3), HOUR, "disk")).isEmpty();
      app.ask(MockCluster.ORDINARY, 1, 20);
      cluster.heartbeat();
      assertThat(hosts(app)).hasSize(4 + 7).doesNotContain(cluster.host(2));
      assertThat(hosts(app).stream().filter(cluster.host(3)::equals)).hasSize(4);

      assertThat(quarantine(cluster).lift(cluster.host(2), "me")).isTrue();
      cluster.heartbeat();
      assertThat(hosts(app).stream().filter(cluster.host(2)::equals)).hasSize(4);
    }
  }

  @Test
  void clonesStayAway() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 8)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      assertThat(quarantine(cluster).add(cluster.host(3), HOUR, "disk")).isEmpty();
      app.ask(MockCluster.CLONE, 1, 12);
      app.awaitClones(12);
      assertThat(hosts(app)).hasSize(12).doesNotContain(cluster.host(3));
    }
  }

  /** They name machines of a rack and take no others, but need none of them. */
  @Test
  void workersThatMakeReplicasStayAway() throws Exception {
    int worker = ClonePriority.REPLICA_WORKER;
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 8)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      for (int closed = 0; closed < 2; closed++) {
        assertThat(quarantine(cluster).add(cluster.host(closed), HOUR, "disk")).isEmpty();
      }
      app.allocate(
          MockCluster.request(worker, cluster.host(1), true),
          MockCluster.request(worker, cluster.host(3), true),
          MockCluster.request(worker, "/default-rack", true),
          MockCluster.request(worker, "*", false));
      app.awaitClones(1);
      assertThat(hosts(app)).hasSize(1).doesNotContain(cluster.host(1));
    }
  }

  /** Hadoop sees to that; clones that it starts there would only be lost. */
  @Test
  void nodeThatIsBeingDecommissionedGetsNoClones() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 8)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      NodeId node = NodeId.newInstance(cluster.host(3), 1234);
      cluster
          .rm
          .getRMContext()
          .getDispatcher()
          .getEventHandler()
          .handle(new RMNodeDecommissioningEvent(node, 3600));
      cluster.rm.drainEvents();
      cluster.heartbeat();
      cluster.rm.drainEvents();
      app.ask(MockCluster.CLONE, 1, 12);
      app.awaitClones(12);
      assertThat(hosts(app)).hasSize(12).doesNotContain(cluster.host(3));
    }
  }

  @Test
  void appMastersStayAway() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 8)) {
      assertThat(quarantine(cluster).add(cluster.host(0), HOUR, "disk")).isEmpty();
      RMApp app =
          MockRMAppSubmitter.submit(
              cluster.rm,
              MockRMAppSubmissionData.Builder.createWithMemory(1024, cluster.rm)
                  .withUnmanagedAM(false)
                  .build());
      FiCaSchedulerApp attempt =
          cluster.scheduler().getApplicationAttempt(app.getCurrentAppAttempt().getAppAttemptId());
      cluster.heartbeat(0);
      assertThat(attempt.getLiveContainers()).isEmpty();
      cluster.heartbeat();
      assertThat(attempt.getLiveContainers())
          .singleElement()
          .satisfies(
              am -> assertThat(am.getAllocatedNode().getHost()).isNotEqualTo(cluster.host(0)));
    }
  }

  @Test
  void roomOfClosedMachinesDoesNotRaiseTheCeilingOfClones() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      assertThat(quarantine(cluster).add(cluster.host(3), HOUR, "disk")).isEmpty();
      app.ask(MockCluster.CLONE, 1, 10);
      app.awaitClones(7);
      for (int i = 0; i < 3; i++) {
        cluster.clones().round();
        cluster.heartbeat();
      }
      assertThat(hosts(app)).as("with the AppMaster two thirds of 12 GB").hasSize(7);
    }
  }

  /** Clones make way only where their end makes room for somebody. */
  @Test
  void ordinaryRequestsGetTheRoomOfClonesWhenOnlyAClosedMachineIsFree() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      assertThat(quarantine(cluster).add(cluster.host(3), HOUR, "disk")).isEmpty();
      app.ask(MockCluster.CLONE, 1, 7); // below seven tenths of what is not closed
      app.awaitClones(7);
      app.ask(MockCluster.ORDINARY, 1, 6);
      await()
          .untilAsserted(
              () -> {
                cluster.clones().round();
                cluster.heartbeat();
                assertThat(app.running()).isEqualTo(6);
              });
      assertThat(hosts(app)).doesNotContain(cluster.host(3));
    }
  }

  @Test
  void requestThatAllowsNoOtherMachineIsSatisfied() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      MockCluster.App app = cluster.submit("SPARK", "default", "u");
      String host = cluster.host(3);
      assertThat(quarantine(cluster).add(host, HOUR, "disk")).isEmpty();
      app.allocate(
          MockCluster.request(host, true),
          MockCluster.request("/default-rack", false),
          MockCluster.request("*", false));
      cluster.heartbeat();
      assertThat(hosts(app)).containsExactly(host);
      app.allocate(
          MockCluster.request(host, true),
          MockCluster.request("/default-rack", true),
          MockCluster.request("*", true));
      for (int i = 0; i < 10; i++) {
        cluster.heartbeat();
      }
      assertThat(hosts(app)).as("one goes elsewhere").hasSize(2);
      assertThat(hosts(app).stream().filter(host::equals)).hasSize(1);
    }
  }

  @Test
  void clonesOnAClosedMachineMakeWayForARequestThatMayOnlyRunThere() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.CLONE, 1, 10);
      app.awaitClones(10);
      String host = fullOfClones(app);
      assertThat(quarantine(cluster).add(host, HOUR, "disk")).isEmpty();
      app.allocate(
          MockCluster.request(host, true),
          MockCluster.request("/default-rack", false),
          MockCluster.request("*", false));
      await()
          .untilAsserted(
              () -> {
                cluster.clones().round();
                cluster.heartbeat();
                assertThat(app.running()).isEqualTo(1);
              });
    }
  }

  /** Returns a host whose four places clones have. */
  private static String fullOfClones(MockCluster.App app) {
    List<String> hosts = hosts(app);
    return hosts.stream()
        .filter(host -> hosts.stream().filter(host::equals).count() == 4)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void requestThatFitsOnNoOtherMachineIsSatisfied() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      MockCluster.App app = cluster.submit("SPARK", "default", "u");
      MockNM large = cluster.rm.registerNode("127.0.0.9:1234", Resource.newInstance(8192, 8));
      assertThat(quarantine(cluster).add("127.0.0.9", HOUR, "disk")).isEmpty();
      app.ask(MockCluster.ORDINARY, 1, 12);
      large.nodeHeartbeat(true);
      cluster.rm.drainEvents();
      assertThat(hosts(app)).isEmpty();
      app.ask(MockCluster.ORDINARY, 5, 1);
      large.nodeHeartbeat(true);
      cluster.rm.drainEvents();
      assertThat(hosts(app)).containsExactly("127.0.0.9");
    }
  }

  @Test
  void machinesAreOpenIfNobodyHasLookedForAMinute() throws Exception {
    AtomicLong nanos = new AtomicLong();
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      NodeQuarantine quarantine =
          new NodeQuarantine(cluster.scheduler(), () -> nanos.get() / 1e9, nanos::get);
      quarantine.configure(ClusterSettings.read(List.of(), key -> null));
      assertThat(quarantine.add(cluster.host(3), HOUR, "disk")).isEmpty();
      nanos.addAndGet(59_000_000_000L);
      assertThat(quarantine.isClosed(cluster.host(3))).isTrue();
      nanos.addAndGet(2_000_000_000L);
      assertThat(quarantine.isClosed(cluster.host(3))).isFalse();
      assertThat(quarantine.closed()).isZero();
      assertThat(quarantine.room("")).isEqualTo(Resource.newInstance(0, 0));
      quarantine.advance(OptionalDouble.empty(), List.of());
      assertThat(quarantine.isClosed(cluster.host(3))).isTrue();
    }
  }

  @Test
  void timeWithoutAResourceManagerCountsInFull() throws Exception {
    double day = 86_400;
    double[] clock = {1000};
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 8, 4)) {
      NodeQuarantine quarantine =
          new NodeQuarantine(cluster.scheduler(), () -> clock[0], System::nanoTime);
      quarantine.configure(ClusterSettings.read(List.of(), key -> null));
      assertThat(quarantine.add(cluster.host(3), HOUR, "ordered before the store was read"))
          .isEmpty();
      List<Term> kept =
          List.of(
              new Term(cluster.host(1), Cause.OPERATOR, 0, day, 1, "over since yesterday"),
              new Term(cluster.host(2), Cause.OPERATOR, 0, 2 * day + 600, 1, "10 minutes left"));
      quarantine.restore(kept, 2 * day, () -> clock[0] = 500); // it counts an hour of two days
      assertThat(quarantine.machines())
          .extracting(Quarantined::machine, one -> Math.round(one.leftSeconds()))
          .containsExactly(tuple(cluster.host(2), 600L), tuple(cluster.host(3), 3600L));
    }
  }

  @Test
  void roomOfClosedMachinesIsNoHeadroom() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      assertThat(app.allocate().getResourceLimit().getMemorySize()).isEqualTo(15 * 1024);
      assertThat(quarantine(cluster).add(cluster.host(3), HOUR, "disk")).isEmpty();
      assertThat(app.allocate().getResourceLimit().getMemorySize()).isEqualTo(11 * 1024);
      app.ask(MockCluster.ORDINARY, 1, 20);
      cluster.heartbeat();
      assertThat(app.allocate().getResourceLimit().getMemorySize()).isZero();
      assertThat(quarantine(cluster).lift(cluster.host(3), "me")).isTrue();
      assertThat(app.allocate().getResourceLimit().getMemorySize()).isEqualTo(4 * 1024);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"observe", "on"})
  void machineOnWhichMostAttemptsAreOutliersIsFound(String mode) throws Exception {
    Configuration conf = MockCluster.configuration();
    Reports.configure(conf);
    conf.set("yarn.drover.statistics.window", "5s");
    conf.set("yarn.drover.quarantine.mode", mode);
    conf.set("yarn.drover.quarantine.after", "1s");
    try (MockCluster cluster = new MockCluster(conf, 16, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      try (ChannelClient client = Reports.client(cluster, app)) {
        String slow = cluster.host(15);
        await()
            .atMost(Duration.ofMinutes(5))
            .until(
                () -> {
                  Reports.run(cluster, app, client, 60);
                  return quarantine(cluster).begun() > 0;
                });
        assertThat(quarantine(cluster).machines())
            .singleElement()
            .satisfies(
                one -> {
                  assertThat(one.machine()).isEqualTo(slow);
                  assertThat(one.cause()).isEqualTo(Cause.STATISTICS);
                  assertThat(one.closed()).isEqualTo(mode.equals("on"));
                  assertThat(one.leftSeconds()).isBetween(1600.0, 1800.0);
                  assertThat(one.why())
                      .startsWith("an attempt there is an outlier with probability 0.");
                });
        assertThat(quarantine(cluster).isClosed(slow)).isEqualTo(mode.equals("on"));
      }
    }
  }

  private static boolean isWritten(Path dir, String words) throws Exception {
    try (Stream<Path> files = Files.list(dir)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".json")).toList()) {
        if (Files.readString(file).contains(words)) {
          return true;
        }
      }
    }
    return false;
  }

  @Test
  void quarantineOutlivesAFailover(@TempDir Path dir) throws Exception {
    Configuration conf = MockCluster.configuration();
    Standby.configure(conf, dir);
    conf.set("yarn.drover.statistics.dir", dir.resolve("learnt").toUri().toString());
    MockRM one = Standby.start(conf, "rm1", dir, () -> conf);
    MockRM two = Standby.start(conf, "rm2", dir, () -> conf);
    try {
      Standby.activate(one);
      MockCluster cluster = new MockCluster(one, 4, 4);
      String host = cluster.host(3);
      await().until(() -> ((DroverCapacityScheduler) cluster.scheduler()).statistics().isKept());
      assertThat(quarantine(cluster).add(host, HOUR, "disk")).isEmpty();
      await().until(() -> isWritten(dir.resolve("learnt"), "disk"));
      Standby.standBy(one);
      Standby.activate(two);
      MockCluster next = new MockCluster(two, 4, 4);
      await().until(() -> quarantine(next).isClosed(host));
      assertThat(quarantine(next).machines())
          .singleElement()
          .satisfies(
              machine -> {
                assertThat(machine.why()).isEqualTo("disk");
                assertThat(machine.leftSeconds()).isBetween(3000.0, 3600.0);
              });
    } finally {
      two.stop();
      one.stop();
    }
  }

  @Test
  void errorsOpenAllMachinesForAMinute() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      NodeQuarantine quarantine = quarantine(cluster);
      assertThat(quarantine.add(cluster.host(3), HOUR, "disk")).isEmpty();
      assertThat(quarantine.closed()).isEqualTo(1);
      for (int i = 0; i < CircuitBreaker.FAILURES; i++) {
        quarantine.breaker().failed(new IllegalStateException("test"));
      }
      assertThat(quarantine.closed()).isZero();
      assertThat(quarantine.machines()).as("it is remembered").hasSize(1);
    }
  }

  @Test
  void offMeansOff() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.set("yarn.drover.quarantine.mode", "off");
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      assertThat(quarantine(cluster).add(cluster.host(3), HOUR, "disk"))
          .contains("yarn.drover.quarantine.mode is off");
      assertThat(quarantine(cluster).closed()).isZero();
    }
  }

  /** A quarantine that was ordered before goes on, but closes nothing. */
  @Test
  void liftingOneWhileTheModeIsOffClosesNoOther() throws Exception {
    Configuration conf = MockCluster.configuration();
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      NodeQuarantine quarantine = quarantine(cluster);
      assertThat(quarantine.add(cluster.host(2), HOUR, "disk")).isEmpty();
      assertThat(quarantine.add(cluster.host(3), HOUR, "disk")).isEmpty();
      assertThat(quarantine.closed()).isEqualTo(2);
      conf.set("yarn.drover.quarantine.mode", "off");
      cluster.scheduler().reinitialize(conf, cluster.scheduler().getRMContext());
      assertThat(quarantine.lift(cluster.host(2), "me")).isTrue();
      assertThat(quarantine.closed()).isZero();
      assertThat(quarantine.isClosed(cluster.host(3))).isFalse();
    }
  }
}
