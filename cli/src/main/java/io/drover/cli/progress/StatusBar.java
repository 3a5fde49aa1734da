// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.progress;

import java.util.function.Supplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** Draws a {@link Status} as a bar on a terminal until it is closed. */
public final class StatusBar implements AutoCloseable {
  private static final int UPDATE_MILLIS = 250;

  private final ProgressBar bar;

  /**
   * Shows the bar.
   *
   * @param status supplies the current status; the bar's own thread calls it repeatedly
   */
  public StatusBar(String task, Terminal terminal, Supplier<Status> status) {
    bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .setConsumer(new ConsoleProgressBarConsumer(terminal.err(), terminal.columns() - 1))
            .setRenderer((state, width) -> status.get().line(width, terminal.unicode()))
            .continuousUpdate() // counts the time down while nothing happens
            .clearDisplayOnFinish()
            .build();
  }

  @Override
  public void close() {
    bar.close();
  }
}
