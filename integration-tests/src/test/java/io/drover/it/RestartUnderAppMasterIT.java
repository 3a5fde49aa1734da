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

/** Drover's AppMaster, with the speculator that it brings. */
class RestartUnderAppMasterIT extends RestartCases {
  @Override
  Map<String, String> settings(JobRunner jobs) {
    return Map.of();
  }

  @Override
  List<Scenario> outliers() {
    return List.of(
        Scenario.SLOW_NODE, Scenario.SLOW_ATTEMPT, Scenario.SILENT_ATTEMPT, Scenario.STALL_90);
  }

  @Order(1)
  @Test
  void nothingIsDoneWhereNothingIsWrong() throws Exception {
    RunResult result = run(Scenario.NONE, Map.of());
    assertSound(result);
    assertThat(result.tally().copies()).isZero();
    assertThat(result.tally().restarts()).isZero();
  }

  @Order(1)
  @Test
  void taskWithSixTimesTheDataIsLeftAlone() throws Exception {
    RunResult result = run(shorter(Scenario.SKEW), Map.of());
    assertThat(result.succeeded()).as(result.diagnostics()).isTrue();
    assertThat(result.tally().copies()).isZero();
    assertThat(result.tally().restarts()).isZero();
  }
}
