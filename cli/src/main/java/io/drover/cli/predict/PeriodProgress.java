// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.predict;

import io.drover.cli.progress.Status;
import io.drover.cli.progress.StatusBar;
import io.drover.cli.progress.Terminal;
import java.io.PrintStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Shows how many models of how many are trained: as a bar on a terminal, as lines elsewhere. */
final class PeriodProgress implements AutoCloseable {
  private static final int LINES = 10;

  private final int models;
  private final PrintStream err;
  private final long began = System.nanoTime();
  private final AtomicInteger trained = new AtomicInteger();
  private final Optional<StatusBar> bar;
  private volatile String now = "";

  PeriodProgress(int models, Terminal terminal) {
    this.models = models;
    this.err = terminal.err();
    this.bar =
        terminal.hasBar()
            ? Optional.of(new StatusBar("predict", terminal, this::status))
            : Optional.empty();
  }

  /** Says what is done next. */
  void doing(String what) {
    now = what;
  }

  /** Counts a model. Any thread may call it. */
  void trained() {
    int done = trained.incrementAndGet();
    if (bar.isEmpty() && (done * LINES / models != (done - 1) * LINES / models)) {
      err.println(status().line(80, false).replaceFirst(" +$", ""));
    }
  }

  private Status status() {
    int done = trained.get();
    double seconds = (System.nanoTime() - began) / 1e9;
    double left = done == 0 ? 0 : seconds / done * (models - done);
    return new Status(done, models, seconds, left, now);
  }

  @Override
  public void close() {
    bar.ifPresent(StatusBar::close);
  }
}
