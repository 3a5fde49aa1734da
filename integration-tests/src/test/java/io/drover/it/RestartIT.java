// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.model.Rule;
import io.drover.core.model.TaskKind;
import io.drover.speculator.DroverCounter;
import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.Test;

/** Drover's speculator in Hadoop's own AppMaster. What it decides is tested in Drover's. */
class RestartIT extends RestartCases {
  /** As many as nodes, so that one of them is likely to begin on the slow one. */
  private static final int REDUCES = 6;

  private static final String RULE = "\"rule\":\"" + Rule.WAITS_ON_SLOW_MACHINE + '"';

  @Override
  Map<String, String> settings(JobRunner jobs) {
    Map<String, String> settings = new HashMap<>(jobs.speculatorOnly());
    settings.put(MRJobConfig.COMPLETED_MAPS_FOR_REDUCE_SLOWSTART, "0");
    return settings;
  }

  @Override
  List<DemoJobSpec> outliers() {
    DemoJobSpec spec = JobsUnderTest.onAllNodes(Scenario.SLOW_NODE);
    return List.of(spec.with().tasks(spec.maps(), REDUCES).build());
  }

  /**
   * A reduce that waits for maps on the slow node is not left there, once the node is known to be
   * slow. That is if two maps have begun on it: as many as usual, but this job is not alone. With
   * one map, a reduce may be the second outlier there, after all maps have ended.
   */
  @Override
  void assertRescued(RunResult result) {
    String slow = result.faultNode().orElseThrow();
    Map<TaskKind, Long> there =
        result.attempts().stream()
            .filter(attempt -> attempt.attempt() == 0 && attempt.node().equals(slow))
            .collect(Collectors.groupingBy(AttemptRecord::kind, Collectors.counting()));
    boolean known = there.getOrDefault(TaskKind.MAP, 0L) >= 2;
    if (known || !there.containsKey(TaskKind.REDUCE)) {
      assertThat(
              JobsUnderTest.lines(result, "slowMachine").stream()
                  .anyMatch(line -> line.contains(slow)))
          .as(() -> "known to be slow: " + slow + "; " + JobsUnderTest.story(result))
          .isEqualTo(known);
    }
    if (there.getOrDefault(TaskKind.MAP, 0L) == 1) {
      return; // it may be enough for an early copy, if its own goes well in time
    }
    assertThat(result.decisions().stream().anyMatch(line -> line.contains(RULE)))
        .as(() -> "a reduce waited on " + slow + "; " + JobsUnderTest.story(result))
        .isEqualTo(known && there.containsKey(TaskKind.REDUCE));
  }

  @BesideOthers
  @Test
  void badSettingIsNamedAndTheJobRunsAsStock() throws Exception {
    RunResult result = runQuick(Map.of("mapreduce.drover.restart.delta", "2"));
    assertThat(result.decisions()).isEmpty();
    assertThat(result.diagnostics())
        .contains("mapreduce.drover.restart.delta is '2'; allowed: 0.0 to 0.99");
  }

  @Alone
  @Test
  void observeModeLogsAndDoesNothing() throws Exception {
    // Nobody rescues the slow map, so it is short; and so few start at once that a copy would pay.
    DemoJobSpec spec =
        JobsUnderTest.lean(Scenario.SLOW_ATTEMPT)
            .with()
            .slowdown(16)
            .pace(Duration.ofSeconds(4), Duration.ofSeconds(1))
            .build();
    // Stock looks again when all is over: of what it has copied, Drover would decide nothing.
    RunResult result =
        run(
            spec,
            Map.of(
                "mapreduce.drover.restart.mode",
                "observe",
                MRJobConfig.SPECULATIVE_RETRY_AFTER_NO_SPECULATE,
                "600000"));
    assertSound(result);
    nothingIsLeftBehind();
    assertThat(JobsUnderTest.counter(result, DroverCounter.COPIES_LAUNCHED)).isZero();
    List<String> decisions = // other features have modes of their own
        result.decisions().stream()
            .filter(line -> line.matches(".*\"type\":\"(decision|outcome|settled|refused)\".*"))
            .toList();
    assertThat(decisions).anyMatch(line -> line.contains("\"action\":\"DUPLICATE\""));
    assertThat(decisions).allMatch(line -> line.contains("\"mode\":\"observe\""));
    assertThat(decisions).anyMatch(line -> line.contains("\"type\":\"outcome\""));
  }
}
