// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.cli.cluster.DroverCluster;
import io.drover.cli.cluster.LiveContainer;
import io.drover.cli.cluster.StartListener;
import io.drover.cli.job.AttemptRecord;
import io.drover.cli.job.JobRunner;
import io.drover.cli.job.JobSpec;
import io.drover.cli.job.Mode;
import io.drover.cli.job.OutputDigest;
import io.drover.cli.job.RunListener;
import io.drover.cli.job.RunResult;
import io.drover.cli.job.Scenario;
import io.drover.speculator.DroverCounter;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each fault on a real cluster, under Drover: the job succeeds with the output of the job without
 * fault, the outlier is rescued, and what is no outlier is left alone.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class RestartCases {
  private DroverCluster cluster;
  private JobRunner runner;
  private OutputDigest expected;

  /** What a job is told beside its fault. */
  abstract Map<String, String> settings(JobRunner jobs);

  /** The faults that make an outlier which a copy is to rescue. */
  abstract List<Scenario> outliers();

  @BeforeAll
  void start() throws Exception {
    cluster = DroverCluster.builder().start(StartListener.NONE);
    runner = new JobRunner(cluster);
    RunResult clean = runner.run(JobSpec.of(Scenario.NONE), Mode.CLEAN, Map.of(), RunListener.NONE);
    assertThat(clean.succeeded()).as(clean.diagnostics()).isTrue();
    expected = clean.output();
  }

  @AfterAll
  void stop() throws Exception {
    cluster.close();
  }

  final RunResult run(Scenario scenario, Map<String, String> extra) throws Exception {
    return run(JobSpec.of(scenario), extra);
  }

  final RunResult run(JobSpec spec, Map<String, String> extra) throws Exception {
    return run(spec, extra, RunListener.NONE);
  }

  final RunResult run(JobSpec spec, Map<String, String> extra, RunListener listener)
      throws Exception {
    Map<String, String> conf = new HashMap<>(settings(runner));
    conf.putAll(extra);
    return runner.run(spec, Mode.DROVER, conf, listener);
  }

  /** The processes that run in the cluster's containers now. */
  final List<LiveContainer> liveContainers() throws IOException {
    return cluster.liveContainers();
  }

  /** With shorter tasks, for a fault that has to be waited for. */
  static JobSpec shorter(Scenario scenario) {
    return JobSpec.of(scenario).with().pace(Duration.ofSeconds(5), Duration.ofSeconds(2)).build();
  }

  private static long counter(RunResult result, DroverCounter counter) {
    return result.counters().getOrDefault(DroverCounter.class.getName() + "/" + counter.name(), 0L);
  }

  final void assertSound(RunResult result) throws Exception {
    assertThat(result.succeeded()).as(result.diagnostics()).isTrue();
    assertThat(result.output()).isEqualTo(expected);
    assertThat(counter(result, DroverCounter.TURNED_OFF)).isZero();
    assertThat(cluster.awaitNoContainers(Duration.ofSeconds(60))).isEmpty();
  }

  @Order(1)
  @ParameterizedTest
  @MethodSource("outliers")
  void outlierIsRescuedByACopy(Scenario scenario) throws Exception {
    RunResult result = run(scenario, Map.of());
    assertSound(result);
    assertThat(counter(result, DroverCounter.COPIES_LAUNCHED)).isPositive();
    assertThat(counter(result, DroverCounter.COPIES_WON)).isPositive();
    assertThat(result.decisions()).anyMatch(line -> line.contains("\"action\":\"DUPLICATE\""));
    // the faulty attempt, where it is one, would have taken eight times as long, or for ever
    result.faultTask().ifPresent(task -> assertThat(winner(result, task)).isPositive());
  }

  /** Which attempt of a map gave its output, from 0. */
  private static int winner(RunResult result, int map) {
    return result.attempts().stream()
        .filter(attempt -> attempt.taskName().equals("m" + map) && attempt.won())
        .mapToInt(AttemptRecord::attempt)
        .findFirst()
        .orElseThrow();
  }

  @Order(1)
  @Test
  void observeModeLogsAndLeavesStockSpeculationAtWork() throws Exception {
    // Stock looks again after a minute: of what it has copied before, Drover would decide nothing.
    RunResult result =
        run(
            shorter(Scenario.SLOW_ATTEMPT),
            Map.of(
                "mapreduce.drover.restart.mode",
                "observe",
                MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE,
                "60000"));
    assertSound(result);
    assertThat(counter(result, DroverCounter.COPIES_LAUNCHED)).isZero();
    List<String> decisions = // other features have modes of their own
        result.decisions().stream()
            .filter(line -> line.matches(".*\"type\":\"(decision|outcome|settled|refused)\".*"))
            .toList();
    assertThat(decisions).anyMatch(line -> line.contains("\"action\":\"DUPLICATE\""));
    assertThat(decisions).allMatch(line -> line.contains("\"mode\":\"observe\""));
    assertThat(decisions).anyMatch(line -> line.contains("\"type\":\"outcome\""));
  }

  @Order(2) // the node stays dead
  @Test
  void jobOutlivesANodeThatDies() throws Exception {
    RunResult result = run(Scenario.NODE_DEATH, Map.of());
    assertSound(result);
    // of maps that the ResourceManager still believed to run: it gives a node up after 2 minutes
    assertThat(counter(result, DroverCounter.COPIES_WON)).isPositive();
  }
}
