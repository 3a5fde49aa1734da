// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.progress.Status;
import io.drover.cli.progress.StatusBar;
import io.drover.cli.progress.Terminal;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;

/** Shows how far the simulations are: a bar on a terminal, a line for each run elsewhere. */
final class SimulateProgress implements AutoCloseable {
  private final SimulateTime time;
  private final PrintStream err;
  private final Optional<StatusBar> bar;

  SimulateProgress(SimulateTime time, Terminal terminal) {
    this.time = time;
    this.err = terminal.err();
    this.bar =
        terminal.hasBar()
            ? Optional.of(new StatusBar("simulate", terminal, time::status))
            : Optional.empty();
  }

  /** Something is done between two runs. */
  void between(String what) {
    time.between(what);
  }

  /** A run begins. */
  void begin(int jobs) {
    time.begin(jobs);
  }

  /** A run begins that has a name of its own among those of its kind. */
  void begin(int jobs, String name) {
    time.begin(jobs);
    time.between(name);
  }

  /** So many of its jobs have ended. */
  void ended(int jobs) {
    time.ended(jobs);
  }

  /**
   * A run is over.
   *
   * @return the seconds that it took
   */
  double end(String title) {
    double took = time.end();
    if (bar.isEmpty()) {
      Status status = time.status();
      err.printf(
          Locale.ROOT,
          "%d/%d %s: simulated in %.1f s; %s left%n",
          status.done(),
          status.runs(),
          title,
          took,
          Status.clock(status.secondsLeft()));
    }
    return took;
  }

  @Override
  public void close() {
    bar.ifPresent(StatusBar::close);
  }
}
