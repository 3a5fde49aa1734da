// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import io.drover.cli.progress.Status;
import io.drover.cli.progress.StatusBar;
import io.drover.cli.progress.Terminal;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Shows on a terminal what the doctor waits for. A pipe gets no such lines. */
final class DoctorProgress implements AutoCloseable {
  private final int steps;
  private final Optional<StatusBar> bar;
  private final long began = System.nanoTime();
  private final AtomicInteger heard = new AtomicInteger();
  private final AtomicInteger begun = new AtomicInteger();
  private volatile String now = "";

  /**
   * Shows the bar.
   *
   * @param steps how often {@link #step} will be called
   */
  DoctorProgress(int steps, Terminal terminal) {
    this.steps = steps;
    this.bar =
        terminal.hasBar()
            ? Optional.of(new StatusBar("doctor", terminal, this::status))
            : Optional.empty();
  }

  /** Begins the next step. */
  void step(String what) {
    begun.incrementAndGet();
    now = what;
  }

  /** Says what is looked at within the step. */
  void doing(String what) {
    now = what;
  }

  /** Counts a daemon that has answered, or is silent. Any thread may call it. */
  void heard(String whom) {
    now = "answer " + heard.incrementAndGet() + ": " + whom;
  }

  private Status status() {
    int done = Math.max(0, begun.get() - 1);
    double seconds = (System.nanoTime() - began) / 1e9;
    double left = seconds * (steps - done) / (done + 1);
    return new Status(done, steps, seconds, left, now);
  }

  @Override
  public void close() {
    bar.ifPresent(StatusBar::close);
  }
}
