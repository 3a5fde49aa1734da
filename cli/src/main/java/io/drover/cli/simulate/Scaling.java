// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.progress.Terminal;
import io.drover.simulator.engine.Simulation;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.workload.TraceException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Measures how the time of a simulation grows with the number of its tasks: synthetic jobs on one
 * cluster, twice as many in each step, under one scheme. The second step is run once more before
 * all others, so that the first one does not pay for the JVM's beginning.
 */
final class Scaling {
  /** How many times as many jobs as in the first step. */
  static final List<Integer> FACTORS = List.of(1, 2, 4, 8, 16);

  /** A small step is run again until it has taken so long: the clock ticks every 10 ms. */
  private static final long LEAST_NANOS = 100_000_000;

  private static final String WARM_UP = "warming up";

  private final SimulateOptions options;
  private final String scheme;
  private final SimulateProgress progress;
  private final LongSupplier processor;

  private Scaling(
      SimulateOptions options, String scheme, SimulateProgress progress, LongSupplier processor) {
    this.options = options;
    this.scheme = scheme;
    this.progress = progress;
    this.processor = processor;
  }

  /**
   * Runs all steps, as often as wished.
   *
   * @param options whose jobs are those of the first step
   * @param nanos a clock, for the time that is left
   * @param processor what is measured: the time for which this process has had a processor, so that
   *     what else the machine does does not count
   * @throws TraceException if the file of the slowness is not what it should be
   */
  static ScalingResult run(
      SimulateOptions options,
      String scheme,
      Terminal terminal,
      LongSupplier nanos,
      LongSupplier processor)
      throws TraceException {
    List<String> ofSeed = new ArrayList<>(List.of(WARM_UP));
    Map<String, Double> weights = new HashMap<>(Map.of(WARM_UP, (double) FACTORS.get(1)));
    for (int factor : FACTORS) {
      ofSeed.add(name(options, factor));
      weights.put(name(options, factor), (double) factor);
    }
    List<String> plan =
        Collections.nCopies(options.repeat(), ofSeed).stream().flatMap(List::stream).toList();
    SimulateTime time = new SimulateTime(plan, weights, nanos);
    try (SimulateProgress progress = new SimulateProgress(time, terminal)) {
      return new Scaling(options, scheme, progress, processor).all();
    }
  }

  private static String name(SimulateOptions options, int factor) {
    return Figures.count((long) factor * options.jobs(), "job", "jobs");
  }

  private ScalingResult all() throws TraceException {
    List<ScalingResult.Step> steps = new ArrayList<>();
    SimulationSetup first = null;
    for (int i = 0; i < options.repeat(); i++) {
      long seed = options.seed() + i;
      step(seed, FACTORS.get(1), WARM_UP);
      for (int factor : FACTORS) {
        steps.add(step(seed, factor, name(options, factor)));
      }
      first = first == null ? SimulationSetup.ofSynthetic(options, options.jobs(), seed) : first;
    }
    return new ScalingResult(options, scheme, first, steps);
  }

  private ScalingResult.Step step(long seed, int factor, String name) throws TraceException {
    SimulationSetup scene = SimulationSetup.ofSynthetic(options, factor * options.jobs(), seed);
    progress.begin(scene.workload().size());
    Simulation simulation;
    SchemeOutcome outcome;
    int runs = 0;
    long took;
    long began = processor.getAsLong();
    do {
      simulation = scene.simulation(scheme, options.settings(seed), progress::ended);
      outcome = simulation.run();
      runs++;
      took = processor.getAsLong() - began;
    } while (took < LEAST_NANOS);
    double seconds = took / 1e9 / runs;
    progress.end(options.repeat() == 1 ? name : name + ", seed " + seed);
    long tasks = SimulateResult.Size.of(outcome).tasks();
    return new ScalingResult.Step(seed, factor, tasks, simulation.events(), seconds);
  }
}
