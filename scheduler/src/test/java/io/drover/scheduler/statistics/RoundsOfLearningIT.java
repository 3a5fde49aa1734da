// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.drover.scheduler.DroverCapacityScheduler;
import io.drover.scheduler.MockCluster;
import io.drover.scheduler.Reports;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.junit.jupiter.api.Test;

/** Copying the nodes takes a lock that every heartbeat of a node needs. */
class RoundsOfLearningIT {
  private static final int APPLICATIONS = 20;
  private static final AtomicInteger COPIES = new AtomicInteger();

  /** Counts how often the learning thread asks for the nodes. */
  public static final class Counting extends DroverCapacityScheduler {
    @Override
    public ClusterNodeTracker<FiCaSchedulerNode> getNodeTracker() {
      if (Thread.currentThread().getName().equals("Drover statistics")) {
        COPIES.incrementAndGet();
      }
      return super.getNodeTracker();
    }
  }

  @Test
  void theNodesAreCopiedOnceARoundHoweverMuchIsSaid() throws Exception {
    Configuration conf = MockCluster.configuration();
    Reports.configure(conf);
    conf.setClass(YarnConfiguration.RM_SCHEDULER, Counting.class, ResourceScheduler.class);
    try (MockCluster cluster = new MockCluster(conf, 2, 40)) {
      CapacityScheduler scheduler = cluster.scheduler();
      Statistics statistics = ((DroverCapacityScheduler) scheduler).statistics();
      List<MockCluster.App> apps = new ArrayList<>();
      for (int i = 0; i < APPLICATIONS; i++) {
        apps.add(cluster.submit("MAPREDUCE", "default", "u"));
      }
      COPIES.set(0);
      String host = cluster.host(1);
      for (int letter = 0; letter < ReportQueue.MAX_LETTERS; letter++) {
        for (MockCluster.App app : apps) {
          statistics.onReport(
              app.am.getApplicationAttemptId(),
              Letters.of(List.of(Reports.outcome(letter + 2, host, false))));
        }
      }
      await().until(() -> COPIES.get() >= 2); // so the first round has ended
      assertThat(statistics.dropped()).isZero();
      assertThat(COPIES)
          .as("copies, of %s letters", APPLICATIONS * ReportQueue.MAX_LETTERS)
          .hasValueLessThan(APPLICATIONS);
    }
  }
}
