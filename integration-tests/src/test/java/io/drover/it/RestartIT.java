// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import io.drover.cli.job.JobRunner;
import java.util.Map;

/** Drover's speculator in Hadoop's own AppMaster. */
class RestartIT extends RestartCases {
  @Override
  Map<String, String> settings(JobRunner jobs) {
    return jobs.speculatorOnly();
  }
}
