// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.containment.CircuitBreaker;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One partition that cannot be looked at costs the clones there, and nobody else's. */
class FaultyPartitionIT {
  @AfterEach
  void mend() {
    FaultyScheduler.mend();
  }

  private static MockCluster cluster() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.setClass(YarnConfiguration.RM_SCHEDULER, FaultyScheduler.class, ResourceScheduler.class);
    conf.setBoolean(YarnConfiguration.NODE_LABELS_ENABLED, true);
    String root = "yarn.scheduler.capacity.root";
    conf.set(root + ".accessible-node-labels", "x");
    conf.set(root + ".accessible-node-labels.x.capacity", "100");
    conf.set(root + ".default.accessible-node-labels", "x");
    conf.set(root + ".default.accessible-node-labels.x.capacity", "100");
    MockCluster cluster = new MockCluster(conf, 2, 10);
    RMNodeLabelsManager labels = cluster.rm.getRMContext().getNodeLabelManager();
    labels.addToCluserNodeLabels(List.of(NodeLabel.newInstance("x", true)));
    labels.replaceLabelsOnNode(Map.of(NodeId.newInstance(cluster.host(1), 1234), Set.of("x")));
    cluster.rm.drainEvents();
    return cluster;
  }

  private static void look(MockCluster cluster, int rounds) {
    for (int round = 0; round < rounds; round++) {
      cluster.clones().round();
      cluster.heartbeat();
    }
  }

  @Test
  void onePartitionThatAlwaysFailsLeavesTheClonesOfTheOthersAlone() throws Exception {
    try (MockCluster cluster = cluster()) {
      MockCluster.App labelled = cluster.submit("MAPREDUCE", "default", "u");
      MockCluster.App other = cluster.submit("MAPREDUCE", "default", "u");
      labelled.ask(MockCluster.CLONE, 1, 20, "x");
      other.ask(MockCluster.CLONE, 1, 2);
      look(cluster, 1);
      long held = labelled.clones();
      assertThat(held).isEqualTo(6);
      assertThat(other.clones()).isEqualTo(2);

      FaultyScheduler.fail(
          "CloneRound.look",
          labelled.am.getApplicationAttemptId(),
          () -> new IllegalStateException("never thought of"));
      look(cluster, CircuitBreaker.FAILURES + 3);
      assertThat(cluster.clones().isOff()).isFalse();
      assertThat(other.clones()).isEqualTo(2);
      other.pull();
      other.ask(MockCluster.CLONE, 1, 2);
      look(cluster, 1);
      assertThat(other.clones()).as("all the rest goes on").isEqualTo(4);
      assertThat(labelled.clones()).as("nobody would make them give way").isZero();
      assertThat(labelled.pending(MockCluster.CLONE)).isZero();

      FaultyScheduler.mend();
      FaultyScheduler.pass(CircuitBreaker.PAUSE.toNanos());
      look(cluster, 2);
      assertThat(labelled.clones()).as("they are back").isEqualTo(6);
      assertThat(cluster.clones().isOff()).isFalse();
    }
  }
}
