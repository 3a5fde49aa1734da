// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.progress.Status;
import io.drover.cli.progress.StatusBar;
import io.drover.cli.progress.Terminal;
import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.RunListener.RunEvent;
import io.drover.testbed.job.RunResult;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Shows the progress of a demo. */
interface DemoProgress extends AutoCloseable {

  /** Returns a bar for a terminal, and lines for any other stream. */
  static DemoProgress on(Terminal terminal, List<PlannedRun> plan) {
    return terminal.hasBar()
        ? new BarProgress(plan, terminal)
        : new LineProgress(plan, terminal.err());
  }

  /** Reports that a step of the cluster's start is done. */
  void clusterStep(int done, int total, String what);

  /** Reports that a run begins. */
  void begin(PlannedRun planned);

  /** Reports the progress of the current run's job. */
  void job(JobProgress progress);

  /** Reports something that the runner did or saw. */
  void event(RunEvent event);

  /** Reports that a run is over, and how long it took in all. */
  void end(PlannedRun planned, RunResult result, Duration took);

  @Override
  void close();

  /** Shows one bar over all runs, with the time left. The bar counts seconds of run time. */
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

  /** Prints a line for each run, for logs and pipes. */
  final class LineProgress implements DemoProgress {
    private final TimeLeft time;
    private final int runs;
    private final PrintStream err;

    LineProgress(List<PlannedRun> plan, PrintStream err) {
      this.time = new TimeLeft(plan);
      this.runs = plan.size();
      this.err = err;
      err.printf(
          Locale.ROOT,
          "%d runs, about %s; starting the cluster%n",
          runs,
          clock(time.secondsLeft()));
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
}
