// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.cli.progress.Status;
import io.drover.cli.progress.StatusBar;
import io.drover.cli.progress.Terminal;
import java.util.Optional;

/** Shows how many histories of how many are read, if that takes longer than a few seconds. */
final class HistoryProgress implements AutoCloseable {
  private static final int LINES = 10;

  /** So many are read in about a second. */
  private static final int FEW = 100;

  private final int histories;
  private final Terminal terminal;
  private final long began = System.nanoTime();
  private final Optional<StatusBar> bar;
  private volatile int done;

  HistoryProgress(int histories, Terminal terminal) {
    this.histories = histories;
    this.terminal = terminal;
    this.bar =
        terminal.hasBar() && histories > FEW
            ? Optional.of(new StatusBar("report", terminal, this::status))
            : Optional.empty();
  }

  /** Counts a history. Only one thread may call it. */
  void done() {
    int before = done;
    done = before + 1;
    boolean isTenth = done * (long) LINES / histories != before * (long) LINES / histories;
    if (bar.isEmpty() && histories > FEW && isTenth) {
      terminal.err().println(status().line(80, false).stripTrailing());
    }
  }

  private Status status() {
    double seconds = (System.nanoTime() - began) / 1e9;
    double left = done == 0 ? 0 : seconds / done * (histories - done);
    return new Status(done, histories, seconds, left, "histories");
  }

  @Override
  public void close() {
    bar.ifPresent(StatusBar::close);
  }
}
