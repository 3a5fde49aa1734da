// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.progress.Terminal;
import io.drover.simulator.experiment.Experiment;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.time.InstantSource;

/** Runs what was asked for, with a bar or lines on standard error, and prints what came of it. */
final class Simulate {
  private final ResultOptions result;
  private final InstantSource clock;
  private final PrintStream out;
  private final PrintStream err;

  /**
   * With the places for the result.
   *
   * @param out for the result
   * @param err for everything else
   */
  Simulate(ResultOptions result, InstantSource clock, PrintStream out, PrintStream err) {
    this.result = result;
    this.clock = clock;
    this.out = out;
    this.err = err;
  }

  /** Schemes beside each other. */
  void compare(SimulateOptions options) throws IOException {
    SimulateResult of =
        Simulations.run(options, Terminal.of(err), clock.instant(), System::nanoTime);
    if (options.html().isPresent()) {
      Files.writeString(options.html().get(), SimulatePage.of(of));
    }
    result.print(out, err, SimulateTable.of(of), () -> SimulateJson.of(of));
  }

  /** The values of settings beside each other. */
  void sweep(SweepOptions options) throws IOException {
    SweepResult of = Sweeps.run(options, Terminal.of(err), clock.instant(), System::nanoTime);
    if (options.common().html().isPresent()) {
      Files.writeString(options.common().html().get(), SweepPage.of(of));
    }
    result.print(out, err, SweepTable.of(of), () -> SweepJson.of(of));
  }

  /** Numbers of jobs beside each other. */
  void scale(SimulateOptions options, String scheme) throws IOException {
    ScalingResult of =
        Scaling.run(options, scheme, Terminal.of(err), System::nanoTime, ProcessorTime::nanos);
    result.print(out, err, ScalingTable.of(of), () -> ScalingJson.of(of));
  }

  /** A paper's figures beside ours. */
  void experiment(Experiment experiment, long seed, int repeat) {
    ExperimentRun run =
        ExperimentRun.of(experiment, seed, repeat, Terminal.of(err), System::nanoTime);
    result.print(out, err, ExperimentTable.of(run), () -> ExperimentJson.of(run));
  }
}
