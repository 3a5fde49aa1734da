// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.progress.Terminal;
import io.drover.simulator.result.Comparison;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.scheme.Schemes;
import io.drover.simulator.workload.TraceException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Runs a scheme at each value of each setting, on the workload of every seed. With each seed the
 * baseline is run once, and once the scheme with all defaults, which all settings have in common.
 */
final class Sweeps {
  private final SweepOptions options;
  private final SimulateProgress progress;
  private final List<SweepRun> runs = new ArrayList<>();

  private Sweeps(SweepOptions options, SimulateProgress progress) {
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
  static SweepResult run(SweepOptions options, Terminal terminal, Instant at, LongSupplier nanos)
      throws TraceException {
    SimulateTime time = new SimulateTime(plan(options), nanos);
    try (SimulateProgress progress = new SimulateProgress(time, terminal)) {
      return new Sweeps(options, progress).all(at);
    }
  }

  private static List<String> plan(SweepOptions options) {
    int others = options.swept().stream().mapToInt(swept -> swept.values().size() - 1).sum();
    List<String> ofSeed = new ArrayList<>(List.of(Schemes.BASELINE));
    ofSeed.addAll(Collections.nCopies(1 + others, options.scheme()));
    return Collections.nCopies(options.common().repeat(), ofSeed).stream()
        .flatMap(List::stream)
        .toList();
  }

  private SweepResult all(Instant at) throws TraceException {
    SimulateOptions common = options.common();
    SimulationSetup first = null;
    SchemeOutcome ofFirst = null;
    for (int i = 0; i < common.repeat(); i++) {
      long seed = common.seed() + i;
      progress.between("reading " + common.workload());
      SimulationSetup scene = SimulationSetup.of(common, seed);
      SchemeOutcome baseline = play(scene, seed, Schemes.BASELINE, Map.of(), Schemes.BASELINE);
      if (i == 0) {
        first = scene;
        ofFirst = baseline;
      }
      sweep(scene, seed, baseline);
    }
    return new SweepResult(options, at, first, SimulateResult.Size.of(ofFirst), runs);
  }

  private void sweep(SimulationSetup scene, long seed, SchemeOutcome baseline) {
    Map<Figure, Double> usual = figures(scene, seed, baseline, Map.of(), "as shipped");
    for (Swept swept : options.swept()) {
      for (String value : swept.values()) {
        Map<Figure, Double> figures =
            swept.isDefault(value)
                ? usual
                : figures(
                    scene,
                    seed,
                    baseline,
                    Map.of(swept.key(), value),
                    swept.name() + " = " + value);
        runs.add(new SweepRun(swept.key(), value, seed, figures));
      }
    }
  }

  private Map<Figure, Double> figures(
      SimulationSetup scene,
      long seed,
      SchemeOutcome baseline,
      Map<String, String> settings,
      String title) {
    SchemeOutcome outcome = play(scene, seed, options.scheme(), settings, title);
    return Figure.of(Comparison.of(baseline, outcome));
  }

  private SchemeOutcome play(
      SimulationSetup scene, long seed, String scheme, Map<String, String> settings, String title) {
    progress.begin(scene.workload().size(), title);
    SchemeOutcome outcome =
        scene.simulation(scheme, options.common().settings(seed, settings), progress::ended).run();
    progress.end(options.common().repeat() == 1 ? title : title + ", seed " + seed);
    return outcome;
  }
}
