// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.replay;

import io.drover.simulator.engine.Simulation;
import io.drover.simulator.engine.StepProgress;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.result.SchemeOutcome.PhaseOutcome;
import io.drover.simulator.result.Spread;
import io.drover.simulator.workload.TraceException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * Measures how the time of a simulation grows with the number of its tasks: it runs synthetic jobs
 * on one cluster under one scheme, and doubles their number in each step. The second step first
 * runs once as a warm-up, so that the first step does not pay for the start of the JVM.
 *
 * @param options the options, with the number of jobs of the first step
 * @param scheme the scheme under which all jobs run
 */
public record Scaling(SimulationOptions options, String scheme) {
  /** The number of jobs in each step, as a multiple of the first step's. */
  public static final List<Integer> FACTORS = List.of(1, 2, 4, 8, 16);

  /** A small step is repeated until it has taken this long, because the clock ticks every 10 ms. */
  private static final long LEAST_NANOS = 100_000_000;

  private static final String WARM_UP = "warming up";

  /** Returns the name of each run, in the order of the runs. */
  public List<String> steps() {
    List<String> ofSeed = new ArrayList<>(List.of(WARM_UP));
    FACTORS.forEach(factor -> ofSeed.add(name(factor)));
    return Collections.nCopies(options.repeat(), ofSeed).stream().flatMap(List::stream).toList();
  }

  /** Returns the expected duration of each step as a multiple of the first step's, by name. */
  public Map<String, Double> weights() {
    Map<String, Double> weights = new HashMap<>(Map.of(WARM_UP, (double) FACTORS.get(1)));
    FACTORS.forEach(factor -> weights.put(name(factor), (double) factor));
    return weights;
  }

  private String name(int factor) {
    long jobs = (long) factor * options.jobs();
    return String.format(Locale.ROOT, "%,d job%s", jobs, jobs == 1 ? "" : "s");
  }

  /**
   * Runs all steps with each seed.
   *
   * @param processor the processor time of this process in nanoseconds, so that other work on the
   *     machine does not count
   * @throws TraceException if the slowness file is malformed
   */
  public Result run(StepProgress progress, LongSupplier processor) throws TraceException {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < options.repeat(); i++) {
      long seed = options.seed() + i;
      step(seed, FACTORS.get(1), WARM_UP, progress, processor);
      for (int factor : FACTORS) {
        steps.add(step(seed, factor, name(factor), progress, processor));
      }
    }
    SimulationSetup first = SimulationSetup.ofSynthetic(options, options.jobs(), options.seed());
    return new Result(this, first, steps);
  }

  private Step step(
      long seed, int factor, String name, StepProgress progress, LongSupplier processor)
      throws TraceException {
    SimulationSetup setup = SimulationSetup.ofSynthetic(options, factor * options.jobs(), seed);
    progress.begin(setup.workload().size());
    Simulation simulation;
    SchemeOutcome outcome;
    int runs = 0;
    long took;
    long began = processor.getAsLong();
    do {
      simulation = setup.simulation(scheme, options.settings(seed, Map.of()), progress::ended);
      outcome = simulation.run();
      runs++;
      took = processor.getAsLong() - began;
    } while (took < LEAST_NANOS);
    progress.end(options.repeat() == 1 ? name : name + ", seed " + seed);
    long tasks = outcome.phases().stream().mapToLong(PhaseOutcome::tasks).sum();
    return new Step(seed, factor, tasks, simulation.events(), took / 1e9 / runs);
  }

  /**
   * One run.
   *
   * @param seed the seed of the workload and of everything random
   * @param factor the number of jobs, as a multiple of the first step's
   * @param tasks the number of tasks that ran
   * @param events the number of events in the simulation
   * @param seconds the processor time of the run, in seconds
   */
  public record Step(long seed, int factor, long tasks, long events, double seconds) {
    /** Returns the seconds per n log2 n, where n is the number of tasks. */
    double secondsPerUnit() {
      double n = tasks;
      return seconds / (n * Math.log(n) / Math.log(2));
    }
  }

  /**
   * The growth of the time.
   *
   * @param scaling the measurement
   * @param setup the setup of the first seed, with the jobs of the first step
   * @param steps the runs by seed and size
   */
  public record Result(Scaling scaling, SimulationSetup setup, List<Step> steps) {
    /** A rise of a tenth counts as noise: runs of a few seconds differ by some per cent. */
    private static final double NOISE = 0.1;

    /** Copies the list. */
    public Result {
      steps = List.copyOf(steps);
    }

    /** Returns a figure over all runs of one size. */
    public Spread of(int factor, ToDoubleFunction<Step> what) {
      return Spread.of(
              steps.stream()
                  .filter(step -> step.factor() == factor)
                  .map(what::applyAsDouble)
                  .toList())
          .orElseThrow();
    }

    /** Returns the seconds per n log2 n, relative to the first step of the same seed. */
    public Spread growth(int factor) {
      return of(factor, step -> step.secondsPerUnit() / first(step.seed()).secondsPerUnit());
    }

    private Step first(long seed) {
      return steps.stream().filter(step -> step.seed() == seed).findFirst().orElseThrow();
    }

    /**
     * Returns whether n log n bounds the growth: the time per n log2 n never rises by more than
     * noise from one size to a larger one. All sizes are compared with each other, so a slow first
     * size, as in a JVM that has just started, hides nothing.
     */
    public boolean isWithin() {
      return worst() <= 1 + NOISE;
    }

    /** Returns the greatest rise of the time per n log2 n from a size to a larger, as a factor. */
    private double worst() {
      double worst = 0;
      for (int from = 0; from < FACTORS.size(); from++) {
        for (int to = from + 1; to < FACTORS.size(); to++) {
          double before = growth(FACTORS.get(from)).median();
          worst = Math.max(worst, growth(FACTORS.get(to)).median() / before);
        }
      }
      return worst;
    }

    /** Returns sentences that say whether the time grows faster than n log n. */
    public String verdict() {
      int last = FACTORS.get(FACTORS.size() - 1);
      Spread tasks = of(last, step -> (double) step.tasks() / first(step.seed()).tasks());
      Spread seconds = of(last, step -> step.seconds() / first(step.seed()).seconds());
      return String.format(
          Locale.ROOT,
          "With %.1f times as many tasks, a run takes %.1f times as long. From one size to a larger"
              + " one, seconds / (n log2 n) grow to at most %.2f times their value: the time grows"
              + " %s n log n.",
          tasks.median(),
          seconds.median(),
          worst(),
          isWithin() ? "no faster than" : "faster than");
    }
  }
}
