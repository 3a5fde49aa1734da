// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.cli.job.JobRunner;
import io.drover.cli.job.JobSpec;
import io.drover.cli.job.RunResult;
import io.drover.cli.job.Scenario;
import io.drover.speculator.DroverCounter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.Test;

/** Drover's speculator in Hadoop's own AppMaster. What it decides is tested in Drover's. */
class RestartIT extends RestartCases {
  @Override
  Map<String, String> settings(JobRunner jobs) {
    return jobs.speculatorOnly();
  }

  @Override
  List<JobSpec> outliers() {
    return List.of(Jobs.onAllNodes(Scenario.SLOW_NODE));
  }

  @Test
  void badSettingIsNamedAndTheJobRunsAsStock() throws Exception {
    RunResult result = runQuick(Map.of("mapreduce.drover.restart.delta", "2"));
    assertThat(result.decisions()).isEmpty();
    assertThat(result.diagnostics())
        .contains("mapreduce.drover.restart.delta is '2'; allowed: 0.0 to 0.99");
  }

  @Test
  void observeModeLogsAndDoesNothing() throws Exception {
    // Nobody rescues the slow map, so it is short; and so few start at once that a copy would pay.
    JobSpec spec =
        Jobs.lean(Scenario.SLOW_ATTEMPT)
            .with()
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
    assertThat(Jobs.counter(result, DroverCounter.COPIES_LAUNCHED)).isZero();
    List<String> decisions = // other features have modes of their own
        result.decisions().stream()
            .filter(line -> line.matches(".*\"type\":\"(decision|outcome|settled|refused)\".*"))
            .toList();
    assertThat(decisions).anyMatch(line -> line.contains("\"action\":\"DUPLICATE\""));
    assertThat(decisions).allMatch(line -> line.contains("\"mode\":\"observe\""));
    assertThat(decisions).anyMatch(line -> line.contains("\"type\":\"outcome\""));
  }
}
