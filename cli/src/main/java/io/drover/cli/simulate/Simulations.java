// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.progress.Terminal;
import io.drover.simulator.result.Comparison;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.workload.TraceException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;

/** Runs every scheme on the workload of every seed, one after the other. */
final class Simulations {
  private final SimulateOptions options;
  private final SimulateProgress progress;
  private final List<SchemeRun> runs = new ArrayList<>();

  private Simulations(SimulateOptions options, SimulateProgress progress) {
    this.options = options;
    this.progress = progress;
  }

  /**
   * Runs everything.
   *
   * @param at when it begins
   * @param nanos a clock for how long things take
   * @throws TraceException if a file is not what it should be
   */
  static SimulateResult run(
      SimulateOptions options, Terminal terminal, Instant at, LongSupplier nanos)
      throws TraceException {
    List<String> plan =
        Collections.nCopies(options.repeat(), options.schemes()).stream()
            .flatMap(List::stream)
            .toList();
    SimulateTime time = new SimulateTime(plan, nanos);
    try (SimulateProgress progress = new SimulateProgress(time, terminal)) {
      return new Simulations(options, progress).all(at);
    }
  }

  private SimulateResult all(Instant at) throws TraceException {
    SimulationSetup first = null;
    SchemeOutcome ofFirst = null;
    for (int i = 0; i < options.repeat(); i++) {
      long seed = options.seed() + i;
      progress.between("reading " + options.workload());
      SimulationSetup scene = SimulationSetup.of(options, seed);
      SchemeOutcome baseline = schemes(scene, seed);
      if (i == 0) {
        first = scene;
        ofFirst = baseline;
      }
    }
    return new SimulateResult(options, at, first, SimulateResult.Size.of(ofFirst), runs);
  }

  /** All schemes on one workload; returns what came of the baseline. */
  private SchemeOutcome schemes(SimulationSetup scene, long seed) {
    SchemeOutcome baseline = null;
    for (String name : options.schemes()) {
      progress.begin(scene.workload().size());
      SchemeOutcome outcome = scene.simulation(name, options.settings(seed), progress::ended).run();
      baseline = baseline == null ? outcome : baseline;
      double seconds = progress.end(options.repeat() == 1 ? name : name + ", seed " + seed);
      runs.add(SchemeRun.of(Comparison.of(baseline, outcome), seed, seconds));
    }
    return baseline;
  }
}
