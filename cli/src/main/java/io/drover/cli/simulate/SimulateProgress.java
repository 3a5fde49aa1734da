// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.progress.Status;
import io.drover.cli.progress.StatusBar;
import io.drover.cli.progress.Terminal;
import io.drover.simulator.engine.StepProgress;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Shows the progress of simulations: as a bar on a terminal, as a line for each run elsewhere. */
final class SimulateProgress implements StepProgress, AutoCloseable {
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

  /** Creates a display of the progress of some steps. */
  static SimulateProgress of(List<String> steps, Terminal terminal) {
    return new SimulateProgress(new SimulateTime(steps, System::nanoTime), terminal);
  }

  /** Creates the display for steps of which some are known to take longer than others. */
  static SimulateProgress of(List<String> steps, Map<String, Double> weights, Terminal terminal) {
    return new SimulateProgress(new SimulateTime(steps, weights, System::nanoTime), terminal);
  }

  @Override
  public void doing(String what) {
    time.doing(what);
  }

  @Override
  public void begin(int parts) {
    time.begin(parts);
  }

  @Override
  public void ended(int parts) {
    time.ended(parts);
  }

  @Override
  public void end(String step) {
    double took = time.end();
    if (bar.isEmpty()) {
      Status status = time.status();
      err.printf(
          Locale.ROOT,
          "%d/%d %s: simulated in %.1f s; %s left%n",
          status.done(),
          status.runs(),
          step,
          took,
          Status.clock(status.secondsLeft()));
    }
  }

  @Override
  public void close() {
    bar.ifPresent(StatusBar::close);
  }
}
