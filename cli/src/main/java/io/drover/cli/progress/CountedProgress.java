// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.progress;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Shows how many of many equal steps are done: as a bar on a terminal, as ten lines elsewhere. */
public final class CountedProgress implements AutoCloseable {
  private static final int LINES = 10;
  private static final int LINE_WIDTH = 80;

  private final int steps;
  private final boolean isShown;
  private final Terminal terminal;
  private final long began = System.nanoTime();
  private final AtomicInteger done = new AtomicInteger();
  private final Optional<StatusBar> bar;
  private volatile String now;

  /**
   * Shows the progress.
   *
   * @param task what is done, in a word
   * @param steps the number of steps
   * @param few so many steps or fewer are not shown, because they take about a second
   * @param now what the steps are, or what is done first
   */
  public CountedProgress(String task, int steps, int few, String now, Terminal terminal) {
    this.steps = steps;
    this.isShown = steps > few;
    this.now = now;
    this.terminal = terminal;
    this.bar =
        isShown && terminal.hasBar()
            ? Optional.of(new StatusBar(task, terminal, this::status))
            : Optional.empty();
  }

  /** Says what is done next. */
  public void doing(String what) {
    now = what;
  }

  /** Counts a step. Any thread may call it. */
  public void done() {
    long count = done.incrementAndGet();
    boolean isTenth = count * LINES / steps != (count - 1) * LINES / steps;
    if (isShown && bar.isEmpty() && isTenth) {
      terminal.err().println(status().line(LINE_WIDTH, false).stripTrailing());
    }
  }

  private Status status() {
    int count = done.get();
    double seconds = (System.nanoTime() - began) / 1e9;
    double left = count == 0 ? 0 : seconds / count * (steps - count);
    return new Status(count, steps, seconds, left, now);
  }

  @Override
  public void close() {
    bar.ifPresent(StatusBar::close);
  }
}
