// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.channel.ChannelClient;
import io.drover.channel.ChannelClient.TimestampedState;
import io.drover.channel.Report;
import io.drover.channel.ReportHandler.ReportStatus;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.machine.SlowMachineRule;
import io.drover.scheduler.DroverCapacityScheduler;
import io.drover.scheduler.FaultyScheduler;
import io.drover.scheduler.MockCluster;
import io.drover.scheduler.Reports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
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

  private static MachineView view(MockCluster cluster) {
    return ((DroverCapacityScheduler) cluster.scheduler()).statistics().view();
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
                  Map<String, Double> isTold =
                      client
                          .latestState()
                          .map(TimestampedState::state)
                          .orElseThrow()
                          .table()
                          .outlierProbabilities();
                  assertThat(isTold).containsKey(slow);
                  assertThat(isTold.get(slow)).isGreaterThan(0.25);
                  assertThat(isTold.get(cluster.host(1))).isLessThan(0.1);
                });
        await() // what was told first may be of when the last wave still ran
            .untilAsserted(
                () ->
                    assertThat(client.latestState().orElseThrow().state().cloneRoom())
                        .hasValue(10));
        assertThat(client.latestState().orElseThrow().state().upstreamRatio()).isEqualTo(1.05);
      }
    }
  }

  @Test
  void nodesThatAnOperatorNamesAreToldFromTheStart() throws Exception {
    Configuration conf = configuration();
    Path file = Files.writeString(dir.resolve("slow-nodes"), "127.0.0.3\nelsewhere\n");
    conf.set("yarn.drover.statistics.dir", dir.resolve("learnt").toUri().toString());
    conf.set("yarn.drover.slow-nodes.file", file.toString());
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      try (ChannelClient client = Reports.client(cluster, app)) {
        await().until(() -> client.latestState().isPresent());
        await()
            .untilAsserted(
                () -> assertThat(isTold(client)).isEqualTo(Map.of(cluster.host(2), 0.5)));
        assertThat(view(cluster).called())
            .isEqualTo(Map.of(cluster.host(2), "named by an operator"));
      }
    }
  }

  private static Map<String, Double> isTold(ChannelClient client) {
    return client
        .latestState()
        .map(TimestampedState::state)
        .orElseThrow()
        .table()
        .outlierProbabilities();
  }

  private static boolean isSlow(MockCluster cluster, ChannelClient client, String machine) {
    double p = view(cluster).outlierProbability().orElseThrow();
    return SlowMachineRule.DEFAULT.isSlow(isTold(client).getOrDefault(machine, 0.0), p);
  }

  @Test
  void oneUserLearnsOfASlowMachineUnderTheDefaultsAndNobodyElseIsHarmed() throws Exception {
    Configuration conf = configuration();
    conf.unset("yarn.drover.statistics.trusted-users");
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      MockCluster.App first = cluster.submit("MAPREDUCE", "default", "hive");
      String slow = cluster.host(3);
      try (ChannelClient client = Reports.client(cluster, first)) {
        Reports.run(cluster, first, client);
        await().until(() -> view(cluster).outlierProbability().isPresent());
        await().untilAsserted(() -> assertThat(isSlow(cluster, client, slow)).isTrue());
        assertThat(isSlow(cluster, client, cluster.host(1))).isFalse();
        Reports.awaitLearnt(cluster, first, client);
      }
      MockCluster.App next = cluster.submit("MAPREDUCE", "default", "hive");
      MockCluster.App other = cluster.submit("MAPREDUCE", "default", "alice");
      try (ChannelClient hive = Reports.client(cluster, next);
          ChannelClient alice = Reports.client(cluster, other)) {
        await().until(() -> hive.latestState().isPresent() && alice.latestState().isPresent());
        assertThat(isSlow(cluster, hive, slow)).isTrue();
        assertThat(isTold(alice)).as("from the first answer on").containsKey(slow);
        assertThat(isSlow(cluster, alice, slow)).isFalse();
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
        Reports.awaitLearnt(cluster, app, client);
        double before = view(cluster).byMachine().get(cluster.host(1));
        long taken = scheduler(cluster).reports(ReportStatus.TAKEN);
        for (int i = 0; i < 1_000; i++) {
          lying.ended(Reports.outcome(i + 1, cluster.host(1), true));
        }
        await() // a report holds 300 of them
            .until(() -> scheduler(cluster).reports(ReportStatus.TAKEN) > taken + 4);
        Reports.awaitLearnt(cluster, liar, lying);
        double after = view(cluster).byMachine().get(cluster.host(1));
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
        Reports.awaitLearnt(before, app, client);
        assertThat(view(before).outlierProbability()).isPresent();
        awaitWritten();
      }
    }
    try (MockCluster after = new MockCluster(configuration(), 4, 4)) {
      await().until(() -> view(after).outlierProbability().isPresent());
      Map<String, Double> known = view(after).byMachine();
      assertThat(known.get(after.host(3))).isGreaterThan(2 * known.get(after.host(1)));
      assertThat(files()).hasSizeLessThanOrEqualTo(4);
    }
  }

  @Test
  void containersThatNeverRanBearNothingOut() throws Exception {
    try (MockCluster cluster = new MockCluster(configuration(), 4, 4)) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      try (ChannelClient client = Reports.client(cluster, app)) {
        await().until(() -> client.latestState().isPresent());
        app.ask(MockCluster.ORDINARY, 1, 15);
        cluster.heartbeat();
        app.pull();
        for (int i = 0; i < 15; i++) {
          client.ended(Reports.outcome(i + 2, cluster.host(1), true));
        }
        app.release(15);
        Reports.awaitLearnt(cluster, app, client);
        assertThat(view(cluster).machines()).isEmpty();
      }
    }
  }

  @Test
  void linksAndMachinesOutliveEveryRestart() throws Exception {
    for (int restart = 0; restart < 4; restart++) {
      try (MockCluster cluster = new MockCluster(configuration(), 4, 4)) {
        if (restart == 0) {
          teach(cluster);
        }
        await().until(() -> view(cluster).outlierProbability().isPresent());
        // What is said of links is told as soon as somebody asks, and there are racks.
        MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
        scheduler(cluster)
            .statistics()
            .onReport(app.am.getApplicationAttemptId(), Letters.of(List.of()));
        await().untilAsserted(() -> assertThat(view(cluster).links()).hasSize(1));
        awaitWritten();
      }
      assertThat(files()).as("restart %s", restart).hasSize(3);
    }
  }

  /** Three jobs of which each has used every machine, and says something of the link. */
  private static void teach(MockCluster cluster) throws Exception {
    for (int job = 0; job < 3; job++) {
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      try (ChannelClient client = Reports.client(cluster, app)) {
        client.bandwidth(Letters.link("/default-rack", 1e8 + job));
        Reports.run(cluster, app, client, 8);
        await().until(() -> !view(cluster).machines().isEmpty());
      }
    }
    await().untilAsserted(() -> assertThat(view(cluster).links()).hasSize(1));
  }

  private static DroverCapacityScheduler scheduler(MockCluster cluster) {
    return (DroverCapacityScheduler) cluster.scheduler();
  }

  /** HDFS answers nothing else while its NameNode starts. */
  public static final class SafeMode extends LocalFileSystem {
    private static volatile String where = "nowhere";

    @Override
    public FileStatus getFileStatus(org.apache.hadoop.fs.Path file) throws IOException {
      if (file.toString().contains(where)) {
        throw new IOException("Name node is in safe mode.");
      }
      return super.getFileStatus(file);
    }
  }

  @Test
  void aFileSystemInSafeModeAtTheStartIsReadLater() throws Exception {
    try (MockCluster before = new MockCluster(configuration(), 4, 4)) {
      teach(before);
    }
    List<Path> files = files();
    assertThat(files).isNotEmpty();
    Configuration conf = configuration();
    conf.setClass("fs.file.impl", SafeMode.class, FileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    SafeMode.where = dir.toString();
    try (MockCluster after = new MockCluster(conf, 4, 4)) {
      await().until(() -> scheduler(after).statistics().keeping().failures() > 0);
      await().pollDelay(Duration.ofSeconds(2)).until(() -> true);
      assertThat(scheduler(after).statistics().isKept()).isFalse();
      assertThat(view(after).machines()).isEmpty();
      assertThat(files()).as("nothing is written over it").isEqualTo(files);
      SafeMode.where = "nowhere";
      await().until(() -> view(after).outlierProbability().isPresent());
      await().until(() -> scheduler(after).statistics().isKept()); // a moment later
    } finally {
      SafeMode.where = "nowhere";
    }
  }

  /** As if the last ResourceManager had ended two hours ago. */
  private void age(Path file) throws IOException {
    ObjectMapper json = new ObjectMapper();
    ObjectNode memory = (ObjectNode) json.readTree(file.toFile());
    for (ObjectNode node : List.of(memory, (ObjectNode) memory.get("machines"))) {
      node.put("at", node.get("at").asDouble() - 7200);
    }
    memory.put("wall", memory.get("wall").asDouble() - 7200);
    json.writeValue(file.toFile(), memory);
    Files.delete(file.resolveSibling("." + file.getFileName() + ".crc")); // Hadoop's, of before
  }

  @Test
  void whatIsReadLateFromLongAgoGrowsOldAsTheRestDoes() throws Exception {
    try (MockCluster before = new MockCluster(configuration(), 4, 4)) {
      teach(before);
    }
    for (Path file : files()) {
      age(file);
    }
    Configuration conf = configuration();
    conf.setClass("fs.file.impl", SafeMode.class, FileSystem.class);
    conf.setBoolean("fs.file.impl.disable.cache", true);
    SafeMode.where = dir.toString();
    try (MockCluster after = new MockCluster(conf, 4, 4)) {
      await().until(() -> scheduler(after).statistics().keeping().failures() > 0);
      await().pollDelay(Duration.ofSeconds(1)).until(() -> true); // some rounds without it
      SafeMode.where = "nowhere";
      await().until(() -> view(after).outlierProbability().isPresent());
      MachineView first = view(after);
      await().until(() -> view(after) != first); // nobody has said anything
    } finally {
      SafeMode.where = "nowhere";
    }
  }

  @Test
  void learningThatIsOffTellsNothingAndComesBack() throws Exception {
    Configuration conf = configuration();
    conf.setClass(YarnConfiguration.RM_SCHEDULER, FaultyScheduler.class, ResourceScheduler.class);
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      Statistics statistics = scheduler(cluster).statistics();
      teach(cluster);
      MockCluster.App app = cluster.submit("MAPREDUCE", "default", "u");
      statistics.onReport(app.am.getApplicationAttemptId(), Letters.of(List.of()));
      FaultyScheduler.fail("Statistics", () -> new NoSuchMethodError("of another version"));
      await().until(() -> statistics.breaker().isOpen());
      await().until(() -> view(cluster).machines().isEmpty());
      assertThat(statistics.breaker().failuresByKind()).containsKey("NoSuchMethodError");
      FaultyScheduler.mend();
      long dropped = statistics.dropped();
      statistics.onReport(app.am.getApplicationAttemptId(), Letters.of(List.of()));
      assertThat(statistics.dropped()).as("it will not be learnt from").isGreaterThan(dropped);
      await().during(Duration.ofSeconds(2)).until(() -> view(cluster).machines().isEmpty());
      FaultyScheduler.pass(CircuitBreaker.PAUSE.toNanos());
      await().until(() -> !view(cluster).machines().isEmpty());
      await().until(() -> !statistics.breaker().isOpen()); // after the view
    } finally {
      FaultyScheduler.mend();
    }
  }

  /** Waits for some windows, each of which is written, until none of the files of now is left. */
  private void awaitWritten() throws Exception {
    List<Path> before = files();
    await().until(this::files, now -> now.size() == 3 && now.stream().noneMatch(before::contains));
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
        await().until(() -> view(cluster).outlierProbability().isPresent());
      }
    }
  }

  /** The ResourceManager knows how long its containers ran, which is a few seconds here. */
  @Test
  void jobCannotHaveWastedWhatOthersRan() throws Exception {
    try (MockCluster cluster = new MockCluster(configuration(), 4, 4)) {
      ApplicationAttemptId attempt =
          cluster.submit("MAPREDUCE", "default", "u").am.getApplicationAttemptId();
      Statistics statistics = scheduler(cluster).statistics();
      statistics.onReport(attempt, copies(1, 500_000));
      assertThat(statistics.actionsRefused()).isZero();
      statistics.onReport(attempt, copies(2, 3_000_000)); // 16 containers could in 600 s
      assertThat(statistics.actionsRefused()).isEqualTo(1);
      assertThat(statistics.actions(ActionKind.COPY).wastedMillis()).isEqualTo(500_000);
    }
  }

  /** The scheduler's usual calculator gives each container one core, whatever the minimum is. */
  @Test
  void leastNumberOfCoresIsNoBoundWhereOnlyMemoryCounts() throws Exception {
    Configuration conf = configuration();
    conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_VCORES, 4);
    try (MockCluster cluster = new MockCluster(conf, 4, 4)) {
      ApplicationAttemptId attempt =
          cluster.submit("MAPREDUCE", "default", "u").am.getApplicationAttemptId();
      RMApp app = cluster.scheduler().getRMContext().getRMApps().get(attempt.getApplicationId());
      app.getRMAppAttempt(attempt)
          .getRMAppAttemptMetrics()
          .updateAggregateAppResourceUsage(Resource.newInstance(1024, 1), 8_000_000);
      Statistics statistics = scheduler(cluster).statistics();
      statistics.onReport(attempt, copies(1, 7_000_000));
      assertThat(statistics.actionsRefused()).isZero();
    }
  }

  private static Report copies(long sequence, long wastedMillis) {
    return Reports.ofActions(
        sequence, Map.of(ActionKind.COPY, new ActionTotals(1, 0, 1, wastedMillis, 0)));
  }
}
