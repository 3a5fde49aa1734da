// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import io.drover.cli.job.JobRunner;
import java.util.Map;

/** Drover's AppMaster, with the speculator that it brings. */
class RestartUnderAppMasterIT extends RestartCases {
  @Override
  Map<String, String> settings(JobRunner jobs) {
    return Map.of();
  }
}
