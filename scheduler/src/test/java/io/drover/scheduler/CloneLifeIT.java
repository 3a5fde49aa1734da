// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.core.clone.ClonePriority;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.junit.jupiter.api.Test;

/** Settings, partitions, a ResourceManager that comes back. */
class CloneLifeIT {
  private static final String MODE = "yarn.drover.clone.mode";

  @Test
  void badSettingsLeaveTheResourceManagerWithoutClones() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.set("yarn.drover.clone.max-utilisation", "70");
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.CLONE, 1, 20);
      cluster.heartbeat();
      assertThat(app.clones()).as("containers like all others").isEqualTo(15);
      assertThat(cluster.clones().running()).isZero();
    }
  }

  @Test
  void anotherChoiceOfPlacesLeavesItWithoutClones() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.set(YarnConfiguration.APPLICATION_PLACEMENT_TYPE_CLASS, "com.example.Other");
    try (MockCluster cluster = new MockCluster(conf, 1, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.CLONE, 1, 20);
      cluster.heartbeat();
      assertThat(cluster.clones().running()).isZero();
    }
  }

  @Test
  void aRefreshSwitchesClonesOffAndOn() throws Exception {
    Configuration conf = MockCluster.configuration();
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.CLONE, 1, 20);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(app.clones()).isEqualTo(10);

      conf.set(MODE, "off");
      cluster.refresh(conf);
      cluster.heartbeat();
      assertThat(app.clones()).as("what was kept back is the scheduler's").isEqualTo(15);

      conf.set(MODE, "on");
      cluster.refresh(conf);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(app.clones()).as("10 are known, 5 are anybody's").isEqualTo(10);
    }
  }

  @Test
  void aBadRefreshChangesNothing() throws Exception {
    Configuration conf = MockCluster.configuration();
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      conf.set("yarn.drover.clone.max-utilization", "0.2");
      assertThatThrownBy(() -> cluster.refresh(conf))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Drover's settings and the queues are unchanged")
          .hasMessageContaining("nearest: yarn.drover.clone.max-utilisation");
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.CLONE, 1, 20);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(app.clones()).isEqualTo(10);
    }
  }

  @Test
  void observingKillsNothing() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.set(MODE, "observe");
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.CLONE, 1, 20);
      cluster.heartbeat();
      cluster.clones().round();
      cluster.clones().round();
      assertThat(app.clones()).isEqualTo(15);
      assertThat(cluster.clones().gaveWay() + cluster.clones().aboveCeiling()).isZero();
      assertThat(cluster.clones().wouldBeKilled()).as("16 of 16 are in use").isEqualTo(5);
    }
  }

  @Test
  void everyPartitionHasItsOwnCeiling() throws Exception {
    Configuration conf = MockCluster.configuration();
    String root = "yarn.scheduler.capacity.root";
    conf.setBoolean(YarnConfiguration.NODE_LABELS_ENABLED, true);
    conf.set(root + ".accessible-node-labels", "x");
    conf.set(root + ".accessible-node-labels.x.capacity", "100");
    conf.set(root + ".default.accessible-node-labels", "x");
    conf.set(root + ".default.accessible-node-labels.x.capacity", "100");
    try (MockCluster cluster = new MockCluster(conf, 2, 10)) {
      RMNodeLabelsManager labels = cluster.rm.getRMContext().getNodeLabelManager();
      labels.addToCluserNodeLabels(List.of(NodeLabel.newInstance("x", true)));
      labels.replaceLabelsOnNode(Map.of(NodeId.newInstance(cluster.host(1), 1234), Set.of("x")));
      cluster.rm.drainEvents();
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      MockCluster.App labelled = cluster.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.ORDINARY, 1, 6);
      cluster.heartbeat();
      app.ask(MockCluster.CLONE, 1, 20);
      labelled.ask(MockCluster.CLONE, 1, 20, "x");
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(app.clones()).as("8 of 10 are in use here").isZero();
      assertThat(labelled.clones()).as("and nothing there").isEqualTo(6);
    }
  }

  @Test
  void clonesAreKnownAgainAfterARestart() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
    conf.setBoolean(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_ENABLED, true);
    conf.set(
        YarnConfiguration.RM_STORE,
        "org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore");
    try (MockCluster before = new MockCluster(conf, 1, 10)) {
      MockCluster.App app = before.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.CLONE, 1, 3);
      before.clones().round();
      before.heartbeat();
      app.pull();
      List<NMContainerStatus> running =
          app.live().stream().map(CloneLifeIT::asItsNodeTells).toList();

      try (MockRM after = new MockRM(conf, before.rm.getRMStateStore())) {
        after.start();
        MockNM node =
            new MockNM(before.host(0) + ":1234", 10 * 1024, after.getResourceTrackerService());
        node.registerNode(running, List.of(app.am.getApplicationAttemptId().getApplicationId()));
        after.drainEvents();
        DroverCapacityScheduler scheduler = (DroverCapacityScheduler) after.getResourceScheduler();
        assertThat(scheduler.clones().running()).isEqualTo(3);
        ContainerId first =
            running.stream()
                .filter(status -> ClonePriority.isClone(status.getPriority().getPriority()))
                .findFirst()
                .orElseThrow()
                .getContainerId();
        scheduler.clones().ended(first);
        assertThat(scheduler.clones().running()).isEqualTo(2);
      }
    }
  }

  /**
   * Hadoop gives nothing for 10 s after a failover: nodes and their containers are still to come.
   */
  @Test
  void noCloneIsKilledOnAClusterOfWhichHalfTheNodesAreStillToCome() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
    conf.setBoolean(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_ENABLED, true);
    conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 600_000);
    conf.set(
        YarnConfiguration.RM_STORE,
        "org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore");
    Configuration first = new Configuration(conf);
    first.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
    try (MockCluster before = new MockCluster(first, 2, 10)) {
      MockCluster.App app = before.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.CLONE, 1, 9);
      before.clones().round();
      before.heartbeat();
      app.pull();
      assertThat(app.clones()).isEqualTo(9);
      String host = before.host(0);
      List<NMContainerStatus> running =
          app.live().stream()
              .filter(container -> container.getAllocatedNode().getHost().equals(host))
              .map(CloneLifeIT::asItsNodeTells)
              .toList();
      assertThat(running).hasSizeGreaterThan(8);

      try (MockRM after = new MockRM(conf, before.rm.getRMStateStore())) {
        after.start();
        MockNM node = new MockNM(host + ":1234", 10 * 1024, after.getResourceTrackerService());
        node.registerNode(running, List.of(app.am.getApplicationAttemptId().getApplicationId()));
        after.drainEvents();
        DroverCapacityScheduler scheduler = (DroverCapacityScheduler) after.getResourceScheduler();
        int known = scheduler.clones().running();
        assertThat(known).isGreaterThan(7);
        scheduler.clones().round();
        assertThat(scheduler.clones().running()).as("of 10 GB they fill too much").isEqualTo(known);
        assertThat(scheduler.clones().room(app.am.getApplicationAttemptId()))
            .as("nobody knows yet")
            .hasValue(0);
      }
    }
  }

  @Test
  void aPartitionWhoseLastNodeHasGoneIsNoHindrance() throws Exception {
    Configuration conf = MockCluster.configuration();
    String root = "yarn.scheduler.capacity.root";
    conf.setBoolean(YarnConfiguration.NODE_LABELS_ENABLED, true);
    conf.set(root + ".accessible-node-labels", "x");
    conf.set(root + ".accessible-node-labels.x.capacity", "100");
    conf.set(root + ".default.accessible-node-labels", "x");
    conf.set(root + ".default.accessible-node-labels.x.capacity", "100");
    try (MockCluster cluster = new MockCluster(conf, 2, 10)) {
      RMNodeLabelsManager labels = cluster.rm.getRMContext().getNodeLabelManager();
      labels.addToCluserNodeLabels(List.of(NodeLabel.newInstance("x", true)));
      NodeId second = NodeId.newInstance(cluster.host(1), 1234);
      labels.replaceLabelsOnNode(Map.of(second, Set.of("x")));
      cluster.rm.drainEvents();
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      MockCluster.App labelled = cluster.submit("MAPREDUCE", "default", "u");
      labelled.ask(MockCluster.CLONE, 1, 2, "x");
      labels.replaceLabelsOnNode(Map.of(second, Set.of()));
      cluster.rm.drainEvents();
      labelled.ask(MockCluster.ORDINARY, 1, 2, "x");
      app.ask(MockCluster.CLONE, 1, 2);
      cluster.clones().round();
      cluster.heartbeat();
      assertThat(cluster.clones().breaker().failures()).isZero();
      assertThat(app.clones()).isEqualTo(2);
    }
  }

  private static NMContainerStatus asItsNodeTells(RMContainer container) {
    return NMContainerStatus.newInstance(
        container.getContainerId(),
        0,
        ContainerState.RUNNING,
        container.getAllocatedResource(),
        "",
        0,
        container.getAllocatedPriority(),
        container.getCreationTime());
  }
}
