// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.core.containment.CircuitBreaker;
import io.drover.scheduler.evidence.SlowNodeOffers;
import io.drover.scheduler.evidence.SlowNodeOffers.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Machines of a real ResourceManager that others call slow, and that are offered last. */
class SlowNodeOffersIT {

  /** Which of the four nodes is slow. */
  private static final int SLOW = 3;

  @TempDir Path dir;

  @AfterEach
  void mend() {
    FaultyScheduler.mend();
  }

  private Configuration configuration(String mode) throws IOException {
    Configuration conf = MockCluster.configuration();
    conf.setClass(YarnConfiguration.RM_SCHEDULER, FaultyScheduler.class, ResourceScheduler.class);
    // What is sent by nodes counts as fresh however slow the test is.
    conf.setInt(YarnConfiguration.SCHEDULER_SKIP_NODE_MULTIPLIER, 100_000);
    Path file = Files.writeString(dir.resolve("slow-nodes"), "127.0.0." + (SLOW + 1) + "\n");
    conf.set("yarn.drover.slow-nodes.file", file.toString());
    conf.set("yarn.drover.slow-nodes.offers.mode", mode);
    return conf;
  }

  private static SlowNodeOffers offers(MockCluster cluster) {
    return ((DroverCapacityScheduler) cluster.scheduler()).slowNodeOffers();
  }

  private static Patience patience(MockCluster cluster) {
    return offers(cluster)
        .patience(ApplicationAttemptId.newInstance(ApplicationId.newInstance(0, 0), 1));
  }

  /** Has all nodes say that they live, and waits until the scheduler knows who is slow. */
  private static void know(MockCluster cluster) {
    cluster.heartbeat();
    Patience patience = patience(cluster);
    await()
        .until(
            () -> {
              if (patience.mayPassOver(node(cluster, SLOW))) {
                return true;
              }
              FaultyScheduler.pass(Duration.ofSeconds(6).toNanos()); // to the next view
              return false;
            });
    // That look may be older than the clock's last step. With it, three parts look in each round.
    long looks = FaultyScheduler.looks();
    await().until(() -> FaultyScheduler.looks() > looks + 3);
  }

  private static SchedulerNode node(MockCluster cluster, int number) {
    return cluster.scheduler().getNodeTracker().getAllNodes().stream()
        .filter(node -> node.getNodeID().getHost().equals(cluster.host(number)))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> hosts(MockCluster.App app) {
    return app.live().stream()
        .filter(container -> !container.isAMContainer())
        .map(container -> container.getAllocatedNode().getHost())
        .toList();
  }

  /** Offers the slow node until the scheduler has looked at the machines again. */
  private static void awaitOnSlow(MockCluster cluster, MockCluster.App app, int containers) {
    await()
        .untilAsserted(
            () -> {
              cluster.heartbeat(SLOW);
              assertThat(hosts(app).stream().filter(cluster.host(SLOW)::equals))
                  .hasSize(containers);
            });
  }

  @Test
  void firstAttemptsGoToOtherMachinesThatHaveRoom() throws Exception {
    try (MockCluster cluster = new MockCluster(configuration("on"), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      know(cluster);
      app.ask(MockCluster.ORDINARY, 1, 11);
      cluster.heartbeat(SLOW);
      assertThat(hosts(app)).isEmpty();
      assertThat(offers(cluster).waits()).isEqualTo(1);
      cluster.heartbeat();
      assertThat(hosts(app)).hasSize(11).doesNotContain(cluster.host(SLOW));
    }
  }

  @Test
  void slowMachinesAreUsedAtOnceForWhatTheOthersCannotTake() throws Exception {
    try (MockCluster cluster = new MockCluster(configuration("on"), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      know(cluster);
      app.ask(MockCluster.ORDINARY, 1, 12);
      cluster.heartbeat(SLOW);
      assertThat(hosts(app)).as("the others have room for 11").contains(cluster.host(SLOW));
      cluster.heartbeat();
      assertThat(hosts(app)).hasSize(12);
    }
  }

  @Test
  void slowMachinesAreUsedOnceTheOthersAreFull() throws Exception {
    try (MockCluster cluster = new MockCluster(configuration("on"), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      know(cluster);
      app.ask(MockCluster.ORDINARY, 1, 11);
      cluster.heartbeat();
      assertThat(hosts(app)).hasSize(11).doesNotContain(cluster.host(SLOW));
      app.ask(MockCluster.ORDINARY, 1, 2);
      awaitOnSlow(cluster, app, 2);
    }
  }

  @Test
  void containerThatFitsOnNoOtherMachineDoesNotWait() throws Exception {
    try (MockCluster cluster = new MockCluster(configuration("on"), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.ORDINARY, 2, 5); // the AppMaster's node has three of its four left
      cluster.heartbeat(0);
      cluster.heartbeat(1);
      cluster.heartbeat(2);
      assertThat(hosts(app)).hasSize(5);
      know(cluster);
      app.ask(MockCluster.ORDINARY + 1, 2, 1); // 1 GB is left on the first node
      awaitOnSlow(cluster, app, 1);
    }
  }

  /** Asks for a container at some places, and at no others. */
  private static void askOnlyAt(MockCluster cluster, MockCluster.App app, List<String> places) {
    app.allocate(
        Stream.of(cluster.host(SLOW), "/default-rack", ResourceRequest.ANY)
            .map(place -> MockCluster.request(place, places.contains(place)))
            .toArray(ResourceRequest[]::new));
  }

  @Test
  void requestThatAllowsNoOtherMachineOrRackDoesNotWait() throws Exception {
    try (MockCluster cluster = new MockCluster(configuration("on"), 4, 4)) {
      MockCluster.App app = cluster.submit("SPARK", "default", "u");
      know(cluster);
      String host = cluster.host(SLOW);
      askOnlyAt(cluster, app, List.of(host));
      cluster.heartbeat(SLOW);
      assertThat(hosts(app)).containsExactly(host);
      askOnlyAt(cluster, app, List.of(host, "/default-rack"));
      cluster.heartbeat(SLOW);
      assertThat(hosts(app)).containsExactly(host, host);
      assertThat(offers(cluster).waits()).isZero();
    }
  }

  @Test
  void appMastersGoToOtherMachines() throws Exception {
    try (MockCluster cluster = new MockCluster(configuration("on"), 4, 4)) {
      know(cluster);
      RMApp app =
          MockRMAppSubmitter.submit(
              cluster.rm,
              MockRMAppSubmissionData.Builder.createWithMemory(1024, cluster.rm)
                  .withUnmanagedAM(false)
                  .build());
      FiCaSchedulerApp attempt =
          cluster.scheduler().getApplicationAttempt(app.getCurrentAppAttempt().getAppAttemptId());
      cluster.heartbeat(SLOW);
      assertThat(attempt.getLiveContainers()).isEmpty();
      cluster.heartbeat(1);
      assertThat(attempt.getLiveContainers()).hasSize(1);
    }
  }

  @Test
  void observedRequestsDoNotWaitAndAreCounted() throws Exception {
    try (MockCluster cluster = new MockCluster(configuration("observe"), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      know(cluster);
      app.ask(MockCluster.ORDINARY, 1, 2);
      cluster.heartbeat(SLOW);
      assertThat(hosts(app)).hasSize(2).containsOnly(cluster.host(SLOW));
      assertThat(offers(cluster).waits()).isEqualTo(1);
    }
  }

  @Test
  void switchedOffAllMachinesAreAlike() throws Exception {
    try (MockCluster cluster = new MockCluster(configuration("off"), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      DroverCapacityScheduler scheduler = (DroverCapacityScheduler) cluster.scheduler();
      await()
          .until(
              () -> {
                FaultyScheduler.pass(Duration.ofSeconds(6).toNanos());
                return scheduler.statistics().view().called().containsKey(cluster.host(SLOW));
              });
      app.ask(MockCluster.ORDINARY, 1, 2);
      cluster.heartbeat(SLOW);
      assertThat(hosts(app)).hasSize(2);
      assertThat(offers(cluster).waits()).isZero();
    }
  }

  @Test
  void errorsCostTheOfferOnly() throws Exception {
    try (MockCluster cluster = new MockCluster(configuration("on"), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      know(cluster);
      FaultyScheduler.fail("SlowNodeOffers", IllegalStateException::new);
      CircuitBreaker breaker = offers(cluster).breaker();
      await().until(breaker::isOpen);
      Patience patience = patience(cluster);
      await().until(() -> !patience.mayPassOver(node(cluster, SLOW))); // a moment later
      app.ask(MockCluster.ORDINARY, 1, 2);
      cluster.heartbeat(SLOW);
      assertThat(hosts(app)).hasSize(2).containsOnly(cluster.host(SLOW));
      FaultyScheduler.mend();
      FaultyScheduler.pass(CircuitBreaker.PAUSE.toNanos());
      await().until(() -> !breaker.isOpen());
    }
  }
}
