// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.progress;

import java.util.function.Supplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** A bar on a terminal that shows a {@link Status}, until it is closed. */
public final class StatusBar implements AutoCloseable {
  private static final int UPDATE_MILLIS = 250;

  private final ProgressBar bar;

  /**
   * Shows the bar.
   *
   * @param status is asked again and again by a thread of the bar
   */
  public StatusBar(String task, Terminal terminal, Supplier<Status> status) {
    bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .setConsumer(new ConsoleProgressBarConsumer(terminal.err(), terminal.columns() - 1))
            .setRenderer((state, width) -> status.get().line(width, terminal.unicode()))
            .continuousUpdate() // the time left goes on while nothing happens
            .clearDisplayOnFinish()
            .build();
  }

  @Override
  public void close() {
    bar.close();
  }
}
