// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** What is asked for on behalf of clones, and what of it the scheduler is told. */
class CloneAsksIT {
  private static void look(MockCluster cluster, int rounds) {
    for (int round = 0; round < rounds; round++) {
      cluster.clones().round();
      cluster.heartbeat();
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
