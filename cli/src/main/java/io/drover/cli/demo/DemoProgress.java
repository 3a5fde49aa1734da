// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.progress.Terminal;
import io.drover.testbed.job.JobProgress;
import io.drover.testbed.job.RunEvent;
import io.drover.testbed.job.RunResult;
import java.time.Duration;
import java.util.List;

/** Shows how far a demo is. */
interface DemoProgress extends AutoCloseable {

  /** A bar for a terminal, lines for all else. */
  static DemoProgress on(Terminal terminal, List<PlannedRun> plan) {
    return terminal.hasBar()
        ? new BarProgress(plan, terminal)
        : new LineProgress(plan, terminal.err());
  }

  /** A step of the cluster's start was done. */
  void clusterStep(int done, int total, String what);

  /** A run begins. */
  void begin(PlannedRun planned);

  /** How far its job is. */
  void job(JobProgress progress);

  /** The runner did or saw something. */
  void event(RunEvent event);

  /** A run is over, after so long in all. */
  void end(PlannedRun planned, RunResult result, Duration took);

  @Override
  void close();
}
