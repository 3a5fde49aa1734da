// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.speculator.DroverCounter;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.cluster.LiveContainer;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each fault on a real cluster, under Drover: the job succeeds with the output of the job without
 * fault, the outlier is rescued, and what is no outlier is left alone.
 */
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RestartCases {
  private DroverCluster cluster;
  private JobRunner runner;

  /** What a job is told beside its fault. */
  abstract Map<String, String> settings(JobRunner jobs);

  /** The jobs with an outlier that a copy is to rescue. */
  abstract List<DemoJobSpec> outliers();

  @BeforeAll
  void start(DroverCluster shared) {
    cluster = shared;
    runner = new JobRunner(cluster);
  }

  final RunResult run(DemoJobSpec spec, Map<String, String> extra) throws Exception {
    return run(spec, extra, RunListener.NONE);
  }

  final RunResult run(DemoJobSpec spec, Map<String, String> extra, RunListener listener)
      throws Exception {
    Map<String, String> conf = new HashMap<>(settings(runner));
    conf.putAll(extra);
    return runner.run(spec, RunMode.DROVER, conf, listener);
  }

  /** The processes that run in the cluster's containers now. */
  final List<LiveContainer> liveContainers() throws IOException {
    return cluster.liveContainers();
  }

  /** The job has put out what it puts out where nothing goes wrong. */
  final void assertSound(RunResult result) throws Exception {
    JobsUnderTest.succeeded(result);
    assertThat(result.output()).isEqualTo(runner.outputAlone(result.spec()));
    assertThat(JobsUnderTest.counter(result, DroverCounter.TURNED_OFF)).isZero();
  }

  /** Containers that are left over would still be there. */
  @AfterAll
  void nothingIsLeftBehind() throws Exception {
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
  }

  /** Runs a small job without a fault. */
  final RunResult runQuick(Map<String, String> extra) throws Exception {
    RunResult result = run(JobsUnderTest.quick(), extra);
    assertSound(result);
    return result;
  }

  @BesideOthers
  @ParameterizedTest
  @MethodSource("outliers")
  void outlierIsRescuedByACopy(DemoJobSpec spec) throws Exception {
    RunResult result = run(spec, Map.of());
    assertSound(result);
    assertThat(JobsUnderTest.counter(result, DroverCounter.COPIES_LAUNCHED))
        .as(() -> "copies launched; " + JobsUnderTest.story(result))
        .isPositive();
    assertThat(JobsUnderTest.counter(result, DroverCounter.COPIES_WON))
        .as(() -> "copies that won; " + JobsUnderTest.story(result))
        .isPositive();
    assertThat(result.decisions()).anyMatch(line -> line.contains("\"action\":\"DUPLICATE\""));
    // the faulty attempt, where it is one, would have taken many times as long, or for ever
    result.faultTask().ifPresent(task -> assertThat(winner(result, task)).isPositive());
    assertRescued(result);
  }

  /** What else is to be seen of a job with an outlier. */
  void assertRescued(RunResult result) {
    // nothing
  }

  /** Which attempt of a task gave its output, from 0. */
  private static int winner(RunResult result, String task) {
    return result.attempts().stream()
        .filter(attempt -> attempt.taskName().equals(task) && attempt.won())
        .mapToInt(AttemptRecord::attempt)
        .findFirst()
        .orElseThrow();
  }
}
