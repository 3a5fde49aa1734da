// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import io.drover.cli.job.JobRunner;
import io.drover.cli.job.Scenario;
import java.util.List;
import java.util.Map;

/** Drover's speculator in Hadoop's own AppMaster. What it decides is tested in Drover's. */
class RestartIT extends RestartCases {
  @Override
  Map<String, String> settings(JobRunner jobs) {
    return jobs.speculatorOnly();
  }

  @Override
  List<Scenario> outliers() {
    return List.of(Scenario.SLOW_NODE, Scenario.SILENT_ATTEMPT);
  }
}
