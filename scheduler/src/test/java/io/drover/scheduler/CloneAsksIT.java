// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.drover.core.containment.CircuitBreaker;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.junit.jupiter.api.Test;

/** What is asked for on behalf of clones, and what of it the scheduler is told. */
class CloneAsksIT {
  private static final String USER_LIMIT = "yarn.scheduler.capacity.root.default.user-limit-factor";

  private static void look(MockCluster cluster, int rounds) {
    for (int round = 0; round < rounds; round++) {
      cluster.clones().round();
      cluster.heartbeat();
    }
  }

  @Test
  void anAskThatCannotBeMetKeepsNobodyOut() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.set(USER_LIMIT, "0.25");
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      MockCluster.App limited = cluster.submit("MAPREDUCE", "default", "u");
      MockCluster.App other = cluster.submit("MAPREDUCE", "default", "v");
      limited.ask(MockCluster.CLONE, 1, 1_000);
      look(cluster, 2);
      long held = limited.clones();
      assertThat(held).as("its user's limit").isBetween(3L, 4L);
      other.ask(MockCluster.CLONE, 1, 2);
      look(cluster, 5);
      assertThat(other.clones()).isEqualTo(2);
      assertThat(limited.clones()).isEqualTo(held);
    }
  }

  @Test
  void nobodyIsKeptOutByAnAskThatIsMetNowAndThen() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.set(USER_LIMIT, "0.25");
    Random random = new Random(20261126);
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      MockCluster.App limited = cluster.submit("MAPREDUCE", "default", "u");
      MockCluster.App other = cluster.submit("MAPREDUCE", "default", "v");
      limited.ask(MockCluster.CLONE, 1, 1_000);
      look(cluster, 2);
      limited.pull();
      other.ask(MockCluster.CLONE, 1, 2);
      for (int round = 0; round < 8; round++) {
        if (round % 2 == 0) {
          limited.releaseClones(1, random);
        }
        look(cluster, 1);
        limited.pull();
      }
      assertThat(other.clones()).isEqualTo(2);
      assertThat(limited.clones()).as("it is given all it may have").isBetween(3L, 4L);
    }
  }

  @Test
  void theSchedulerIsToldOfOtherHostsAndSizesToo() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      app.askOn(MockCluster.CLONE, Map.of(cluster.host(1), 1), 1);
      cluster.clones().round();
      assertThat(app.told(MockCluster.CLONE))
          .containsOnlyKeys(ResourceRequest.ANY, NetworkTopology.DEFAULT_RACK, cluster.host(1));

      // One clone is withdrawn and another asked for, in one heartbeat: it is one still.
      app.askOn(MockCluster.CLONE, Map.of(cluster.host(1), 0, cluster.host(2), 1), 1);
      cluster.clones().round();
      assertThat(app.told(MockCluster.CLONE))
          .containsOnlyKeys(ResourceRequest.ANY, NetworkTopology.DEFAULT_RACK, cluster.host(2));

      app.ask(MockCluster.CLONE, 2, 1);
      cluster.clones().round();
      assertThat(app.told(MockCluster.CLONE))
          .containsEntry(ResourceRequest.ANY, Resource.newInstance(2048, 1));
    }
  }

  @Test
  void whatIsNoClonesAnyMoreIsAskedForLikeAnythingElse() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      app.ask(MockCluster.CLONE, 1, 12);
      cluster.clones().round();
      assertThat(app.pending(MockCluster.CLONE)).as("below the ceiling").isEqualTo(10);
      Configuration other = MockCluster.configuration();
      other.set("yarn.drover.clone.application-types", "TEZ");
      cluster.refresh(other);
      assertThat(cluster.clones().wanted()).isZero();
      look(cluster, 2);
      assertThat(app.clones()).isEqualTo(12);
      app.pull();
      app.releaseClones(12, new Random(1));
      look(cluster, 2);
      assertThat(app.clones()).as("it had all it wanted").isZero();
    }
  }

  private static ResourceRequest request(String place) {
    return ResourceRequest.newInstance(
        Priority.newInstance(MockCluster.CLONE), place, Resource.newInstance(1024, 1), 1);
  }

  @Test
  void aRequestThatNamesNoPlaceIsRefusedToItsAppMasterAndCostsNobodyElse() throws Exception {
    try (MockCluster cluster = new MockCluster(MockCluster.configuration(), 4, 4)) {
      MockCluster.App careless = cluster.submit("MAPREDUCE", "default", "u");
      MockCluster.App other = cluster.submit("MAPREDUCE", "default", "v");
      other.ask(MockCluster.CLONE, 1, 2);
      look(cluster, 1);
      for (int i = 0; i < CircuitBreaker.FAILURES + 1; i++) {
        assertThatNullPointerException()
            .as("as with Hadoop's scheduler")
            .isThrownBy(() -> careless.allocate(request(ResourceRequest.ANY), request(null)));
        look(cluster, 1);
      }
      assertThat(cluster.clones().isOff()).isFalse();
      assertThat(cluster.clones().partitionsOff()).isZero();
      other.pull();
      other.ask(MockCluster.CLONE, 1, 1);
      look(cluster, 1);
      assertThat(other.clones()).isEqualTo(3);
    }
  }

  private static OptionalInt room(MockCluster cluster, MockCluster.App app) {
    return ((DroverCapacityScheduler) cluster.scheduler())
        .statistics()
        .state(app.am.getApplicationAttemptId(), List.of())
        .cloneRoom();
  }

  @Test
  void whoMayNotCloneIsToldThatThereIsNoRoom() throws Exception {
    Configuration conf = MockCluster.configuration();
    conf.set("yarn.drover.clone.acl", "u");
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      MockCluster.App may = cluster.submit("MAPREDUCE", "default", "u");
      MockCluster.App mayNot = cluster.submit("MAPREDUCE", "default", "v");
      MockCluster.App ofAnotherType = cluster.submit("SPARK", "default", "u");
      assertThat(room(cluster, may)).hasValue(8);
      assertThat(room(cluster, mayNot)).hasValue(0);
      assertThat(room(cluster, ofAnotherType)).hasValue(0);
    }
  }
}
