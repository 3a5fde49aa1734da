// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.cli.job.JobRunner;
import io.drover.cli.job.RunResult;
import io.drover.cli.job.Scenario;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Drover's speculator in Hadoop's own AppMaster. What it decides is tested in Drover's. */
class RestartIT extends RestartCases {
  @Override
  Map<String, String> settings(JobRunner jobs) {
    return jobs.speculatorOnly();
  }

  @Override
  List<Scenario> outliers() {
    return List.of(Scenario.SLOW_NODE);
  }

  @Order(1)
  @Test
  void badSettingIsNamedAndTheJobRunsAsStock() throws Exception {
    RunResult result = run(Scenario.NONE, Map.of("mapreduce.drover.restart.delta", "2"));
    assertSound(result);
    assertThat(result.decisions()).isEmpty();
    assertThat(result.diagnostics())
        .contains("mapreduce.drover.restart.delta is '2'; allowed: 0.0 to 0.99");
  }
}
