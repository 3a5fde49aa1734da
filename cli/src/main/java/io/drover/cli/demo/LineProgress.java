// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.progress.Status;
import io.drover.testbed.job.JobProgress;
import io.drover.testbed.job.RunEvent;
import io.drover.testbed.job.RunResult;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** A line for each run, for logs and pipes. */
final class LineProgress implements DemoProgress {
  private final TimeLeft time;
  private final int runs;
  private final PrintStream err;

  LineProgress(List<PlannedRun> plan, PrintStream err) {
    this.time = new TimeLeft(plan);
    this.runs = plan.size();
    this.err = err;
    err.printf(
        Locale.ROOT, "%d runs, about %s; starting the cluster%n", runs, clock(time.secondsLeft()));
  }

  @Override
  public void clusterStep(int done, int total, String what) {
    if (done == total) {
      err.println("The cluster is up.");
    }
  }

  @Override
  public void begin(PlannedRun planned) {}

  @Override
  public void job(JobProgress progress) {}

  @Override
  public void event(RunEvent event) {
    err.println("  " + event.what());
  }

  @Override
  public void end(PlannedRun planned, RunResult result, Duration took) {
    time.end(planned, took);
    err.printf(
        Locale.ROOT,
        "%d/%d %s: %s%s; %s left%n",
        time.done(),
        runs,
        planned.title(),
        result.succeeded() ? "" : result.state() + " after ",
        DemoSummary.seconds(DemoRun.seconds(result.historyTime())),
        clock(time.secondsLeft()));
  }

  @Override
  public void close() {}

  private static String clock(double seconds) {
    return Status.clock(seconds);
  }
}
