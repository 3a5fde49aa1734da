// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.drover.core.machine.SlowMachineRule;
import io.drover.core.model.TaskKind;
import io.drover.speculator.DroverCounter;
import io.drover.testbed.cluster.Await;
import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.RunResult.OutputDigest;
import io.drover.testbed.job.Scenario;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * All of Drover on a real cluster of two ResourceManagers with Drover's scheduler, which keep their
 * state in HDFS: what one job learns of a machine the next one knows; the active ResourceManager
 * dies without a word in the middle of a job that has clones; and a node does.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SchedulerIT {
  private static final Duration WINDOW = Duration.ofSeconds(20);
  private static final String NEWS = "500ms";
  private static final DemoJobSpec SMALL = JobsUnderTest.lean(Scenario.SMALL_JOBS);

  private static DroverCluster cluster;
  private static JobRunner runner;
  private static OutputDigest expected;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        DroverCluster.builder()
            .droverScheduler()
            .standbyResourceManager()
            .daemonConf("yarn.drover.statistics.dir", "/learnt")
            .daemonConf("yarn.drover.statistics.window", WINDOW.toSeconds() + "s")
            // All its jobs are one user's.
            .daemonConf("yarn.drover.statistics.trusted-users", "*")
            .daemonConf("yarn.drover.channel.period", NEWS)
            .jobConf("yarn.drover.channel.period", NEWS)
            .start(StartListener.NONE);
    runner = new JobRunner(cluster);
    DemoJobSpec nothing = JobsUnderTest.shorter(JobsUnderTest.onAllNodes(Scenario.NONE));
    expected = runner.outputAlone(nothing);
    assertThat(run(nothing).output()).isEqualTo(expected); // and tells of each machine
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static RunResult run(DemoJobSpec spec, Map<String, String> extra, RunListener listener)
      throws Exception {
    RunResult result = JobsUnderTest.succeeded(runner.run(spec, RunMode.DROVER, extra, listener));
    assertThat(JobsUnderTest.counter(result, DroverCounter.TURNED_OFF)).isZero();
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
    return result;
  }

  private static RunResult run(DemoJobSpec spec) throws Exception {
    return run(spec, Map.of(), RunListener.NONE);
  }

  /** The memory of a map of which a node, with its room for four, takes only two. */
  private static String halfANode() {
    return Integer.toString(2 * cluster.clientConf().getInt(MRJobConfig.MAP_MEMORY_MB, 0));
  }

  private static JsonNode statistics() throws IOException, InterruptedException {
    return SchedulerServices.statistics(cluster);
  }

  /** The machines that copies keep away from. */
  private static List<String> slow(JsonNode statistics) {
    double p = statistics.path("outlierProbability").asDouble(1);
    return statistics.path("machines").findParents("machine").stream()
        .filter(
            machine ->
                SlowMachineRule.DEFAULT.isSlow(machine.path("outlierProbability").asDouble(0), p))
        .map(machine -> machine.get("machine").asText())
        .toList();
  }

  /** Sees when the first machine is found to be slow. */
  private static final class WhenKnown implements RunListener {
    private static final Duration PAUSE = Duration.ofMillis(250);

    private Instant known;

    @Override
    public void progress(JobProgress job) throws IOException, InterruptedException {
      look();
    }

    private boolean look() throws IOException, InterruptedException {
      if (known == null && !slow(statistics()).isEmpty()) {
        known = Instant.now();
      }
      return known != null;
    }

    /** Looks on until it is over with the news of a job that has ended. */
    private Instant get() throws IOException, InterruptedException {
      assertThat(Await.until(WINDOW.multipliedBy(2), PAUSE, this::look))
          .as("a machine known to be slow among %s", statistics())
          .isTrue();
      return known;
    }
  }

  @Order(1)
  @Test
  void slowMachineIsKnownWithinTwoWindowsAndCopiesAvoidIt() throws Exception {
    assertThat(slow(statistics())).isEmpty();
    WhenKnown known = new WhenKnown();
    // One outlier makes no slow machine, so each node gets two of the maps, and no room for more:
    // where many start at once they take so long for it that the slow ones hardly stand out.
    DemoJobSpec maps = JobsUnderTest.onAllNodes(Scenario.SLOW_NODE);
    RunResult first = run(maps, Map.of(MRJobConfig.MAP_MEMORY_MB, halfANode()), known);
    String slow = first.faultNode().orElseThrow();
    assertKnownInTime(known.get(), first.attempts(), slow);

    assertThat(slow(statistics())).containsExactly(slow);
    // Tasks long enough for both attempts of one to be seen at work, however late clones start.
    JsonNode before = clones();
    RunResult small = run(SMALL.with().pace(Duration.ofSeconds(20), SMALL.reduceTime()).build());
    assertClonesAreSummedUp(before, small);
    assertThat(later(small)).isNotEmpty().doesNotContain(slow);
    assertOutrunAttemptsEndedBeforeTheirTasks(small);
  }

  /** Returns what clones have come to in all jobs. */
  private static JsonNode clones() throws IOException, InterruptedException {
    return SchedulerServices.status(cluster).at("/actions/clones");
  }

  /** The job's counters are what the ResourceManager has added. */
  private static void assertClonesAreSummedUp(JsonNode before, RunResult job)
      throws IOException, InterruptedException {
    JsonNode after = clones();
    assertThat(added(before, after, "launched"))
        .isPositive()
        .isEqualTo(JobsUnderTest.counter(job, DroverCounter.CLONES_LAUNCHED));
    assertThat(added(before, after, "won"))
        .isEqualTo(JobsUnderTest.counter(job, DroverCounter.CLONES_WON));
    assertThat(1e3 * added(before, after, "secondsWasted"))
        .isCloseTo(
            (double) JobsUnderTest.counter(job, DroverCounter.CLONE_WASTED_MILLIS), within(1.0));
    assertThat(1e3 * added(before, after, "secondsSaved"))
        .isCloseTo(
            (double) JobsUnderTest.counter(job, DroverCounter.CLONE_SAVED_MILLIS), within(1.0));
  }

  private static double added(JsonNode before, JsonNode after, String figure) {
    return after.get(figure).asDouble() - before.get(figure).asDouble();
  }

  private static void assertOutrunAttemptsEndedBeforeTheirTasks(RunResult result) {
    assertThat(JobsUnderTest.counter(result, DroverCounter.SLOWER_ATTEMPT)).isPositive();
    List<String> lines =
        result.decisions().stream()
            .filter(line -> line.contains("\"rule\":\"SLOWER_ATTEMPT\""))
            .toList();
    for (AttemptRecord slower : result.attempts()) {
      String task = slower.id().replaceFirst("attempt(.*)_\\d+$", "\"task$1\"");
      boolean isRefused =
          lines.stream().anyMatch(l -> l.contains("\"refused\"") && l.contains(task));
      boolean isOutrun = lines.stream().anyMatch(l -> l.contains('"' + slower.id() + '"'));
      if (isOutrun && !isRefused) {
        assertThat(slower.won()).isFalse();
        AttemptRecord winner =
            result.attempts().stream()
                .filter(other -> other.won() && other.taskName().equals(slower.taskName()))
                .findFirst()
                .orElseThrow();
        assertThat(slower.finish()).as("%s", slower.id()).isBefore(winner.finish());
      }
    }
  }

  /** The nodes of all attempts that were not their task's first. */
  private static List<String> later(RunResult result) {
    return result.attempts().stream()
        .filter(attempt -> attempt.attempt() > 0)
        .map(AttemptRecord::node)
        .toList();
  }

  /** Within two windows of the end of the first attempt on the slow node. */
  private static void assertKnownInTime(Instant known, List<AttemptRecord> attempts, String slow) {
    Optional<Instant> seen =
        attempts.stream()
            .filter(attempt -> attempt.node().equals(slow))
            .map(AttemptRecord::finish)
            .min(Instant::compareTo);
    assertThat(seen).isPresent();
    assertThat(Duration.between(seen.get(), known)).isLessThan(WINDOW.multipliedBy(2));
  }

  @Order(2)
  @Test
  void jobItsClonesAndWhatWasLearntOutliveTheActiveResourceManager() throws Exception {
    OutputDigest ofSmallJobs = runner.outputAlone(SMALL);
    assertThat(statistics().get("machinesKnown").asInt()).isPositive();

    Failover failover = new Failover();
    RunResult result = run(SMALL, Map.of(), failover);
    assertThat(failover.heard).as("the job by the second ResourceManager").isTrue();
    assertThat(failover.known).as("machines by the second ResourceManager").isPositive();
    assertThat(result.output()).isEqualTo(ofSmallJobs);
    assertThat(result.attempts())
        .extracting(AttemptRecord::containerId)
        .as("all of the one AppMaster")
        .allMatch(container -> container.matches("container_(e\\d+_)?\\d+_\\d+_01_\\d+"));
    assertThat(result.attempts())
        .as("clones of reduces, asked for after the death")
        .anyMatch(attempt -> attempt.kind() == TaskKind.REDUCE && attempt.attempt() > 0);
  }

  @Order(3)
  @Test
  void programThatCannotBearTwoAttemptsGetsNoneInItsNextJob() throws Exception {
    Job first = SideFileJob.run(cluster, "side files 1", true);
    assertThat(SideFileJob.counter(first, DroverCounter.CLONES_LAUNCHED)).isPositive();
    assertThat(SideFileJob.counter(first, DroverCounter.SECOND_ATTEMPTS_ENDED)).isEqualTo(1);
    Job next = SideFileJob.run(cluster, "side files 2", true);
    assertThat(SideFileJob.counter(next, DroverCounter.CLONES_LAUNCHED)).isZero();
    assertThat(SideFileJob.counter(next, DroverCounter.SECOND_ATTEMPTS_ENDED)).isEqualTo(1);
  }

  /** Kills the active ResourceManager when the maps are so far, and looks at the next one. */
  private static final class Failover implements RunListener {
    private static final double AT = 0.3;

    private boolean done;
    private boolean heard;
    private int known;

    @Override
    public void progress(JobProgress job) throws IOException, InterruptedException {
      if (!done && job.maps() >= AT) {
        cluster.failOver();
        done = true;
      } else if (done && !heard) {
        JsonNode statistics = statistics();
        heard = statistics.get("reporting").asInt() > 0;
        known = statistics.get("machinesKnown").asInt();
      }
    }
  }

  @Order(4) // the node stays dead
  @Test
  void jobOutlivesANodeThatDies() throws Exception {
    RunResult result = run(JobsUnderTest.onAllNodes(Scenario.NODE_DEATH));
    assertThat(result.output()).isEqualTo(expected);
    // of maps that the ResourceManager still believed to run: it gives a node up after 2 minutes
    assertThat(JobsUnderTest.counter(result, DroverCounter.COPIES_WON)).isPositive();
  }
}
