// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.drover.channel.ChannelClient;
import io.drover.channel.Heard;
import io.drover.scheduler.DroverCapacityScheduler;
import io.drover.scheduler.MockCluster;
import io.drover.scheduler.Reports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real ResourceManager, its port for reports, and an AppMaster's end of the line. */
class StatisticsIT {
  @TempDir Path dir;

  private Configuration configuration() {
    Configuration conf = MockCluster.configuration();
    Reports.configure(conf);
    conf.set("yarn.drover.statistics.dir", dir.toUri().toString());
    return conf;
  }

  private static Learnt learnt(MockCluster cluster) {
    return ((DroverCapacityScheduler) cluster.scheduler()).statistics().learnt();
  }

  @Test
  void aMachineThatMakesOutliersIsKnownToTheNextJob() throws Exception {
    try (MockCluster cluster = new MockCluster(configuration(), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      try (ChannelClient client = Reports.client(cluster, app)) {
        Reports.run(cluster, app, client);
        String slow = cluster.host(3);
        await()
            .untilAsserted(
                () -> {
                  Map<String, Double> told =
                      client.heard().map(Heard::state).orElseThrow().table().outlierProbabilities();
                  assertThat(told).containsKey(slow);
                  assertThat(told.get(slow)).isGreaterThan(0.25);
                  assertThat(told.get(cluster.host(1))).isLessThan(0.1);
                });
        await() // what was told first may be of when the last wave still ran
            .untilAsserted(
                () -> assertThat(client.heard().orElseThrow().state().cloneRoom()).hasValue(10));
        assertThat(client.heard().orElseThrow().state().upstreamRatio()).isEqualTo(1.05);
      }
    }
  }

  @Test
  void whatIsClaimedOfMachinesThatWereNotUsedMovesNothing() throws Exception {
    try (MockCluster cluster = new MockCluster(configuration(), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      MockCluster.App liar = cluster.submit("MAPREDUCE", "default", "v");
      try (ChannelClient client = Reports.client(cluster, app);
          ChannelClient lying = Reports.client(cluster, liar)) {
        Reports.run(cluster, app, client);
        await().until(() -> learnt(cluster).outlierProbability().isPresent());
        await().pollDelay(Duration.ofSeconds(1)).until(() -> true);
        double before = learnt(cluster).byMachine().get(cluster.host(1));
        for (int i = 0; i < 1_000; i++) {
          lying.ended(Reports.outcome(i + 1, cluster.host(1), true));
        }
        await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
        double after = learnt(cluster).byMachine().get(cluster.host(1));
        assertThat(after).isCloseTo(before, within(0.01));
      }
    }
  }

  @Test
  void whatWasLearntOutlivesTheResourceManager() throws Exception {
    try (MockCluster before = new MockCluster(configuration(), 4, 4)) {
      MockCluster.App app = before.submit("MAPREDUCE", "default", "u");
      try (ChannelClient client = Reports.client(before, app)) {
        Reports.run(before, app, client);
        await().until(() -> learnt(before).outlierProbability().isPresent());
      }
    }
    await().untilAsserted(() -> assertThat(files()).isNotEmpty());
    try (MockCluster after = new MockCluster(configuration(), 4, 4)) {
      await().until(() -> learnt(after).outlierProbability().isPresent());
      Map<String, Double> known = learnt(after).byMachine();
      assertThat(known.get(after.host(3))).isGreaterThan(2 * known.get(after.host(1)));
      assertThat(files()).hasSizeLessThanOrEqualTo(4);
    }
  }

  private List<Path> files() throws Exception {
    try (Stream<Path> all = Files.list(dir)) {
      return all.filter(file -> file.toString().endsWith(".json")).toList();
    }
  }

  @Test
  void anUnusableDirectoryIsNoHindrance() throws Exception {
    Configuration conf = configuration();
    conf.set("yarn.drover.statistics.dir", "nosuchscheme://somewhere/x");
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      try (ChannelClient client = Reports.client(cluster, app)) {
        Reports.run(cluster, app, client);
        await().until(() -> learnt(cluster).outlierProbability().isPresent());
      }
    }
  }
}
