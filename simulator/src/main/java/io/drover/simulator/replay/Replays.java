// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.replay;

import io.drover.simulator.engine.StepProgress;
import io.drover.simulator.result.Comparison;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.result.SchemeOutcome.PhaseOutcome;
import io.drover.simulator.workload.TraceException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;

/** Runs each variant on the workload of each seed, and compares it with the baseline's run. */
public final class Replays {
  private final SimulationOptions options;
  private final List<Variant> variants;

  /**
   * Creates runs that have not begun.
   *
   * @param options the options that all variants share
   * @param variants the variants, the baseline first
   */
  public Replays(SimulationOptions options, List<Variant> variants) {
    if (variants.isEmpty() || !variants.get(0).isBaseline()) {
      throw new IllegalArgumentException("the first variant must be the baseline: " + variants);
    }
    this.options = options;
    this.variants = List.copyOf(variants);
  }

  /** Returns the scheme of each run, in the order of the runs. */
  public List<String> steps() {
    return Collections.nCopies(options.repeat(), variants).stream()
        .flatMap(List::stream)
        .map(Variant::scheme)
        .toList();
  }

  /**
   * Runs everything.
   *
   * @param nanos a clock in nanoseconds that measures how long the simulations take
   * @throws TraceException if a file is malformed
   */
  public ReplayResult run(StepProgress progress, LongSupplier nanos) throws TraceException {
    List<ReplayResult.Run> runs = new ArrayList<>();
    SimulationSetup first = null;
    ReplayResult.Size size = null;
    for (int i = 0; i < options.repeat(); i++) {
      long seed = options.seed() + i;
      progress.doing("reading " + options.workload());
      SimulationSetup setup = SimulationSetup.of(options, seed);
      SchemeOutcome baseline = null;
      for (Variant variant : variants) {
        long began = nanos.getAsLong();
        SchemeOutcome outcome = run(setup, seed, variant, progress);
        double seconds = (nanos.getAsLong() - began) / 1e9;
        baseline = baseline == null ? outcome : baseline;
        runs.add(ReplayResult.Run.of(variant, seed, seconds, Comparison.of(baseline, outcome)));
      }
      if (first == null) {
        first = setup;
        size = size(baseline);
      }
    }
    return new ReplayResult(options, first, size, runs);
  }

  private SchemeOutcome run(
      SimulationSetup setup, long seed, Variant variant, StepProgress progress) {
    progress.begin(setup.workload().size());
    progress.doing(variant.title());
    SchemeOutcome outcome =
        setup
            .simulation(
                variant.scheme(), options.settings(seed, variant.settings()), progress::ended)
            .run();
    progress.end(options.repeat() == 1 ? variant.title() : variant.title() + ", seed " + seed);
    return outcome;
  }

  private static ReplayResult.Size size(SchemeOutcome outcome) {
    return new ReplayResult.Size(
        outcome.jobs().size(),
        outcome.phases().size(),
        outcome.phases().stream().mapToLong(PhaseOutcome::tasks).sum());
  }
}
