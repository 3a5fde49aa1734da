// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.progress.Status;
import io.drover.cli.progress.StatusBar;
import io.drover.cli.progress.Terminal;
import io.drover.testbed.job.JobProgress;
import io.drover.testbed.job.RunEvent;
import io.drover.testbed.job.RunResult;
import java.time.Duration;
import java.util.List;

/** One bar over all runs, with the time left. Its unit is a second of run time. */
final class BarProgress implements DemoProgress {
  private final TimeLeft time;
  private final int runs;
  private final StatusBar bar;
  private String now = "starting the cluster";

  /** Shows an empty bar. */
  BarProgress(List<PlannedRun> plan, Terminal terminal) {
    time = new TimeLeft(plan);
    runs = plan.size();
    bar = new StatusBar("demo", terminal, this::status);
  }

  @Override
  public synchronized void clusterStep(int done, int total, String what) {
    now = "cluster " + done + "/" + total + ": " + what;
  }

  @Override
  public synchronized void begin(PlannedRun planned) {
    now = planned.title();
  }

  @Override
  public synchronized void job(JobProgress progress) {
    time.job(progress);
  }

  @Override
  public synchronized void event(RunEvent event) {
    now = event.what();
  }

  @Override
  public synchronized void end(PlannedRun planned, RunResult result, Duration took) {
    time.end(planned, took);
  }

  @Override
  public void close() {
    bar.close();
  }

  private synchronized Status status() {
    return new Status(time.done(), runs, time.secondsDone(), time.secondsLeft(), now);
  }
}
