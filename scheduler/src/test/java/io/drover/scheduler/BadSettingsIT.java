// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.core.config.Mode;
import io.drover.scheduler.check.SchedulerChecks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** An administrator's mistake costs Drover's part, and nothing of Hadoop's. */
class BadSettingsIT {
  private static final String TAU = "yarn.drover.clone.max-utilisation";
  private static final String MISTYPED = "yarn.drover.clone.max-utilization";
  private static final String ROOT = "yarn.scheduler.capacity.root.";

  @TempDir Path dir;
  private final List<MockRM> started = new ArrayList<>();

  @AfterEach
  void stop() {
    started.forEach(MockRM::stop);
  }

  private static DroverCapacityScheduler scheduler(MockRM rm) {
    return (DroverCapacityScheduler) rm.getResourceScheduler();
  }

  private static DroverCapacityScheduler scheduler(MockCluster cluster) {
    return (DroverCapacityScheduler) cluster.scheduler();
  }

  private MockRM manager(Configuration conf, String id) {
    MockRM rm = Standby.start(conf, id, dir, () -> conf);
    started.add(rm);
    return rm;
  }

  @ParameterizedTest
  @CsvSource({
    MISTYPED + ",0.5,nearest: " + TAU,
    TAU + ",seventy,allowed: 0.01 to 1.0",
    "yarn.drover.channel.handlers,-1,allowed: 1 to 100",
    "yarn.drover.channel.address,rmhost,allowed: host:port",
    "yarn.drover.channel.address.rm2,rmhost,allowed: host:port",
    "yarn.drover.channel.address.rn1,127.0.0.1:0,after yarn.drover.channel.address are: rm1 rm2",
    "yarn.scheduler.app-placement-allocator.class,com.example.Other,allowed: io.drover"
  })
  void eitherResourceManagerBecomesActive(String key, String value, String complaint)
      throws Exception {
    Configuration conf = MockCluster.configuration();
    Standby.configure(conf, dir);
    conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
    MockRM one = manager(conf, "rm1");
    MockRM two = manager(conf, "rm2");
    conf.set(key, value); // in the files that both read when they become active
    one.getConfig().set(key, value);
    two.getConfig().set(key, value);
    for (MockRM rm : List.of(one, two)) {
      Standby.activate(rm);
      assertThat(rm.getRMContext().getHAServiceState()).isEqualTo(HAServiceState.ACTIVE);
      assertThat(scheduler(rm).complaint())
          .hasValueSatisfying(c -> assertThat(c).contains(complaint));
      assertThat(scheduler(rm).refusedSettings()).isPositive();
      MockCluster cluster = new MockCluster(rm, 4, 4);
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.ORDINARY, 1, 3);
      cluster.heartbeat();
      assertThat(app.running()).isEqualTo(3);
      Standby.standBy(rm);
    }
  }

  @Test
  void whatIsAllowedAndUnwiseIsLoggedOnceAtTheStart() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.set(TAU, "1.0");
    LogCapturer log = LogCapturer.captureLogs(LoggerFactory.getLogger(SchedulerChecks.class));
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      assertThat(scheduler(cluster).complaint()).isEmpty();
    } finally {
      log.stopCapturing();
    }
    assertThat(log.getOutput()).containsOnlyOnce("[rm.ceiling]").contains(TAU + " is 1.0");
  }

  private static Configuration queues(int a, int b) {
    return MockCluster.configuration(Map.of("a", a, "b", b));
  }

  private static float capacity(MockCluster cluster, String queue) {
    return cluster.scheduler().getQueue(queue).getCapacity();
  }

  @Test
  void refreshWithAMistypedKeyChangesNeitherQueuesNorSettings() throws Exception {
    try (MockCluster cluster = new MockCluster(queues(50, 50), 4, 4)) {
      Configuration bad = queues(30, 70);
      bad.set(TAU, "0.4");
      bad.set(MISTYPED, "0.4");
      assertThatThrownBy(() -> cluster.refresh(bad))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("nearest: " + TAU);
      assertThat(capacity(cluster, "a")).isEqualTo(0.5f);
      assertThat(cluster.clones().settings().maxUtilisation()).isEqualTo(0.7);
      assertThat(scheduler(cluster).complaint())
          .hasValueSatisfying(c -> assertThat(c).contains(MISTYPED));

      bad.unset(MISTYPED);
      cluster.refresh(bad);
      assertThat(capacity(cluster, "a")).isEqualTo(0.3f);
      assertThat(cluster.clones().settings().maxUtilisation()).isEqualTo(0.4);
      assertThat(scheduler(cluster).complaint()).isEmpty();
    }
  }

  @Test
  void refreshThatHadoopRefusesChangesNeitherQueuesNorSettings() throws Exception {
    try (MockCluster cluster = new MockCluster(queues(50, 50), 4, 4)) {
      Configuration bad = queues(50, 60);
      bad.set(TAU, "0.4");
      assertThatThrownBy(() -> cluster.refresh(bad)).isInstanceOf(IOException.class);
      assertThat(capacity(cluster, "b")).isEqualTo(0.5f);
      assertThat(cluster.clones().settings().maxUtilisation()).isEqualTo(0.7);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "yarn.drover.channel.address,rmhost",
    "yarn.drover.channel.address.rm1,127.0.0.1:0" // there is one ResourceManager, without an id
  })
  void refreshWithABadAddressOfTheChannelIsRefused(String key, String value) throws Exception {
    try (MockCluster cluster = new MockCluster(queues(50, 50), 4, 4)) {
      Configuration bad = queues(30, 70);
      bad.set(key, value);
      assertThatThrownBy(() -> cluster.refresh(bad))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(key);
      assertThat(capacity(cluster, "a")).isEqualTo(0.5f);
      assertThat(scheduler(cluster).complaint())
          .hasValueSatisfying(c -> assertThat(c).contains(key));
    }
  }

  @Test
  void whereDroverIsOffItStaysSoUntilHadoopHasTakenItsQueuesToo() throws Exception {
    Configuration bad = queues(50, 50);
    bad.set(MISTYPED, "0.4");
    try (MockCluster cluster = new MockCluster(bad, 4, 4)) {
      Configuration badQueues = queues(50, 60);
      assertThatThrownBy(() -> cluster.refresh(badQueues)).isInstanceOf(IOException.class);
      assertThat(scheduler(cluster).complaint())
          .hasValueSatisfying(c -> assertThat(c).contains(MISTYPED));
      assertThat(cluster.clones().settings().cloneMode()).isEqualTo(Mode.OFF);

      Configuration stillBad = queues(30, 70);
      stillBad.set(MISTYPED, "0.4");
      cluster.refresh(stillBad); // no good settings are in force that it could refuse it for
      assertThat(capacity(cluster, "a")).isEqualTo(0.3f);

      cluster.refresh(queues(40, 60));
      assertThat(scheduler(cluster).complaint()).isEmpty();
      assertThat(cluster.clones().settings().cloneMode()).isEqualTo(Mode.ON);
    }
  }

  @Test
  void whereDroverIsOffForBadSettingsQueuesAreRefreshedAllTheSame() throws Exception {
    Configuration bad = queues(50, 50);
    bad.set(MISTYPED, "0.4");
    try (MockCluster cluster = new MockCluster(bad, 4, 4)) {
      Configuration stillBad = queues(30, 70);
      stillBad.set(MISTYPED, "0.4");
      cluster.refresh(stillBad);
      assertThat(capacity(cluster, "a")).isEqualTo(0.3f);
      assertThat(scheduler(cluster).complaint()).isPresent();

      Configuration good = queues(40, 60);
      Reports.configure(good);
      cluster.refresh(good);
      assertThat(scheduler(cluster).complaint()).isEmpty();
      assertThat(scheduler(cluster).channelAddress()).isPresent();
      MockCluster.App app = cluster.submit("MAPREDUCE", "a", "u");
      app.ask(MockCluster.CLONE, 1, 2);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(cluster.clones().running()).isEqualTo(2);
    }
  }

  @Test
  void refreshDoesNotForgetWhoElseChoosesPlaces() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.set(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS, "com.example.Other");
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      cluster.refresh(conf);
      assertThat(scheduler(cluster).complaint()).isPresent();
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.CLONE, 1, 20);
      cluster.clones().round();
      assertThat(cluster.clones().wanted()).as("asked for like anything else").isZero();
    }
  }

  @Test
  void validationTakesNothingOver() throws Exception {
    try (MockCluster cluster = new MockCluster(queues(50, 50), 4, 4)) {
      Configuration other = queues(50, 50);
      other.set(TAU, "0.4");
      cluster.scheduler().reinitialize(other, cluster.rm.getRMContext(), true);
      assertThat(cluster.clones().settings().maxUtilisation()).isEqualTo(0.7);
    }
  }
}
