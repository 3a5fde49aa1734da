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
 * Measures how the time of a simulation grows with the number of its tasks: synthetic jobs on one
 * cluster, twice as many in each step, under one scheme. The second step runs once more before all
 * others, so that the first one does not pay for the start of the JVM.
 *
 * @param options whose jobs are those of the first step
 * @param scheme under which all jobs run
 */
public record Scaling(SimulationOptions options, String scheme) {
  /** How many times as many jobs as in the first step. */
  public static final List<Integer> FACTORS = List.of(1, 2, 4, 8, 16);

  /** A small step runs again until it has taken so long: the clock ticks every 10 ms. */
  private static final long LEAST_NANOS = 100_000_000;

  private static final String WARM_UP = "warming up";

  /** The name of each run, in their order. */
  public List<String> steps() {
    List<String> ofSeed = new ArrayList<>(List.of(WARM_UP));
    FACTORS.forEach(factor -> ofSeed.add(name(factor)));
    return Collections.nCopies(options.repeat(), ofSeed).stream().flatMap(List::stream).toList();
  }

  /** How many times as long as the first step each one takes, by its name. */
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
   * Runs all steps, as often as wished.
   *
   * @param processor the time for which this process has had a processor: what else the machine
   *     does must not count
   * @throws TraceException if the file of the slowness is not what it should be
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
   * @param seed of the workload and of all chance
   * @param factor how many times as many jobs as in the first step
   * @param tasks that were done
   * @param events of the simulation
   * @param seconds of a processor that it took
   */
  public record Step(long seed, int factor, long tasks, long events, double seconds) {
    /** Seconds for each n log2 n, n being the tasks. */
    double secondsPerUnit() {
      double n = tasks;
      return seconds / (n * Math.log(n) / Math.log(2));
    }
  }

  /**
   * How the time grew.
   *
   * @param scaling that was run
   * @param setup of the first seed, with the jobs of the first step
   * @param steps by seed and size
   */
  public record Result(Scaling scaling, SimulationSetup setup, List<Step> steps) {
    /** A rise by a tenth is taken for noise: runs of a few seconds differ by some per cent. */
    private static final double NOISE = 0.1;

    /** Copies the list. */
    public Result {
      steps = List.copyOf(steps);
    }

    /** Something of all runs of one size. */
    public Spread of(int factor, ToDoubleFunction<Step> what) {
      return Spread.of(
              steps.stream()
                  .filter(step -> step.factor() == factor)
                  .map(what::applyAsDouble)
                  .toList())
          .orElseThrow();
    }

    /** Seconds for each n log2 n; 1 is what the first step of the same seed takes. */
    public Spread growth(int factor) {
      return of(factor, step -> step.secondsPerUnit() / first(step.seed()).secondsPerUnit());
    }

    private Step first(long seed) {
      return steps.stream().filter(step -> step.seed() == seed).findFirst().orElseThrow();
    }

    /**
     * Whether n log n bounds the growth: from no size to a larger one does the time for each n log2
     * n rise by more than noise. A slow first size, as that of a JVM that has just begun, hides
     * nothing: all others are compared with each other, too.
     */
    public boolean isWithin() {
      return worst() <= 1 + NOISE;
    }

    /** The greatest rise of the time for each n log2 n from a size to a larger one, as a factor. */
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

    /** Says whether the time grows faster than n log n. */
    public String verdict() {
      int last = FACTORS.get(FACTORS.size() - 1);
      Spread tasks = of(last, step -> (double) step.tasks() / first(step.seed()).tasks());
      Spread seconds = of(last, step -> step.seconds() / first(step.seed()).seconds());
      return String.format(
          Locale.ROOT,
          "With %.1f times the tasks a run takes %.1f times as long. From one size to a larger one"
              + " the time for each n log2 n becomes at most %.2f times as much: it grows %s n log n.",
          tasks.median(),
          seconds.median(),
          worst(),
          isWithin() ? "no faster than" : "faster than");
    }
  }
}
