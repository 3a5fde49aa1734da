// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.job.JobProgress;
import io.drover.cli.job.RunEvent;
import io.drover.cli.job.RunResult;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** One bar over all runs, with the time left. Its unit is a second of run time. */
final class BarProgress implements DemoProgress {
  private static final int UPDATE_MILLIS = 250;
  private static final int WIDEST_BAR = 30;
  private static final int NARROWEST_BAR = 8;
  private static final int WIDEST_TAIL = 40;

  private final TimeLeft time;
  private final int runs;
  private final ProgressBar bar;
  private String now = "starting the cluster";

  /**
   * Shows an empty bar.
   *
   * @param unicode whether the terminal can show block characters
   */
  BarProgress(List<PlannedRun> plan, PrintStream err, int columns, boolean unicode) {
    time = new TimeLeft(plan);
    runs = plan.size();
    bar =
        new ProgressBarBuilder()
            .setTaskName("demo")
            .setInitialMax(Math.round(time.secondsLeft()))
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .setConsumer(new ConsoleProgressBarConsumer(err, columns - 1))
            .setRenderer((state, width) -> line(width, unicode))
            .continuousUpdate() // the time left goes on while nothing happens
            .clearDisplayOnFinish()
            .build();
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
    move();
  }

  @Override
  public synchronized void event(RunEvent event) {
    now = event.what();
  }

  @Override
  public synchronized void end(PlannedRun planned, RunResult result, Duration took) {
    time.end(planned, took);
    move();
  }

  @Override
  public void close() {
    bar.close();
  }

  private void move() {
    bar.maxHint(Math.round(time.secondsDone() + time.secondsLeft()));
    bar.stepTo(Math.round(time.secondsDone()));
  }

  private synchronized String line(int width, boolean unicode) {
    return line(time, runs, now, width, unicode);
  }

  /** Runs done, a bar, what goes on, and the time left, in at most so many columns. */
  static String line(TimeLeft time, int runs, String now, int width, boolean unicode) {
    double done = time.secondsDone();
    double left = time.secondsLeft();
    double share = done + left <= 0 ? 1 : done / (done + left);
    String head = String.format(Locale.ROOT, "%d/%d runs ", time.done(), runs);
    String tail = " " + clock(left) + " left  " + now;
    int length = Math.min(WIDEST_BAR, width - head.length() - WIDEST_TAIL);
    String bar = length < NARROWEST_BAR ? "" : bar(share, length, unicode);
    String line = head + bar + tail;
    return line.length() <= width ? line : line.substring(0, Math.max(0, width));
  }

  private static String bar(double share, int length, boolean unicode) {
    int full = (int) Math.floor(share * length);
    return unicode
        ? "\u2588".repeat(full) + "\u2591".repeat(length - full)
        : "[" + "#".repeat(full) + ".".repeat(length - full) + "]";
  }

  /** Minutes and seconds. */
  static String clock(double seconds) {
    long whole = Math.round(seconds);
    return String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60);
  }
}
