// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.Scenario;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * One run that is to be done.
 *
 * @param repeat which time over, from 1; of a series of jobs, which job of all the series
 * @param scenario its fault; {@link Scenario#NONE} for clean runs that serve several faults
 * @param mode under whose eyes
 * @param spec what the job is
 * @param beside whether it runs beside the one before it in the plan, as soon as that only waits
 */
public record PlannedRun(
    int repeat, Scenario scenario, RunMode mode, DemoJobSpec spec, boolean beside) {

  /**
   * All runs of a demo. Repeats are outermost, so that what drifts on the machine drifts for all.
   * One clean run in each repeat serves every fault with the same input.
   *
   * <p>Each run is alone, with one exception. Where one fault is shown once, the clean run is
   * beside the end of the run without speculation, which has few tasks left by then, at an eighth
   * of their rate or less: it takes next to nothing from the clean one, and whoever watches waits
   * less.
   */
  static List<PlannedRun> of(DemoOptions options) {
    boolean beside =
        options.runs() == 1
            && options.scenarios().size() == 1
            && leavesNodesIdle(options.scenarios().get(0));
    List<PlannedRun> plan = new ArrayList<>();
    for (int repeat = 1; repeat <= options.runs(); repeat++) {
      if (!beside && options.scenarios().stream().anyMatch(PlannedRun::sharesClean)) {
        plan.add(clean(options, repeat, false));
      }
      for (Scenario scenario : options.scenarios()) {
        int series = options.series(scenario);
        for (int job = (repeat - 1) * series + 1; job <= repeat * series; job++) {
          for (RunMode mode : modes(scenario)) {
            plan.add(new PlannedRun(job, scenario, mode, spec(options, scenario, job), false));
            if (beside && mode == RunMode.OFF) {
              plan.add(clean(options, repeat, true));
            }
          }
        }
      }
    }
    return plan;
  }

  /** A clean run of the usual job. */
  private static PlannedRun clean(DemoOptions options, int repeat, boolean beside) {
    return new PlannedRun(
        repeat, Scenario.NONE, RunMode.CLEAN, options.spec(Scenario.NONE), beside);
  }

  /** Whether a job that nobody rescues ends with few tasks that do little, and all nodes live. */
  private static boolean leavesNodesIdle(Scenario scenario) {
    return switch (scenario) {
      case SLOW_NODE, SLOW_ATTEMPT, SILENT_ATTEMPT, STALL_90 -> true;
      default -> false;
    };
  }

  /**
   * Each job of a series has its fault in a place of its own, the same in all modes: of as many
   * jobs as each has tasks, one after another, every task is it once, in random order.
   */
  private static DemoJobSpec spec(DemoOptions options, Scenario scenario, int job) {
    DemoJobSpec spec = options.spec(scenario);
    return scenario == Scenario.SMALL_JOBS
        ? spec.with().faultTask(faultTask(job, spec.maps() + spec.reduces())).build()
        : spec;
  }

  private static int faultTask(int job, int tasks) {
    List<Integer> order = new ArrayList<>(IntStream.range(0, tasks).boxed().toList());
    int round = (job - 1) / tasks;
    Collections.shuffle(order, new Random(round));
    return order.get((job - 1) % tasks);
  }

  /** A clean run is the yardstick of a fault; where nothing fails there is nothing to measure. */
  static boolean needsClean(Scenario scenario) {
    return switch (scenario) {
      case NONE, SKEW, PLACEMENT, CEILING -> false;
      default -> true;
    };
  }

  /** Whether it does with the clean run of the usual job. */
  private static boolean sharesClean(Scenario scenario) {
    return needsClean(scenario) && scenario != Scenario.SMALL_JOBS;
  }

  private static List<RunMode> modes(Scenario scenario) {
    return switch (scenario) {
      case NONE, PLACEMENT, CEILING -> List.of(RunMode.STOCK, RunMode.DROVER);
      case SMALL_JOBS -> List.of(RunMode.values());
      default -> List.of(RunMode.OFF, RunMode.STOCK, RunMode.DROVER);
    };
  }

  /** Whether the run's result counts for a scenario. */
  boolean countsFor(Scenario other) {
    boolean shared = mode == RunMode.CLEAN && scenario == Scenario.NONE;
    return shared ? sharesClean(other) : scenario == other;
  }

  /** Whether it is to run where the ResourceManager has Drover's scheduler. */
  boolean needsDroverScheduler() {
    return scenario == Scenario.CEILING && mode == RunMode.DROVER;
  }

  /** Whether it is compared with a run on another cluster, so that both must be new. */
  boolean needsNewCluster() {
    return scenario == Scenario.CEILING;
  }

  /** A few words for a line of progress. */
  String title() {
    boolean shared = mode == RunMode.CLEAN && scenario == Scenario.NONE;
    String job = scenario == Scenario.SMALL_JOBS ? " " + repeat : "";
    return shared ? "clean" : scenario.key() + job + ", " + mode.key();
  }
}
