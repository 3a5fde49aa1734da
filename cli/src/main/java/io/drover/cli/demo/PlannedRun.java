// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.cli.job.JobSpec;
import io.drover.cli.job.Mode;
import io.drover.cli.job.Scenario;
import java.util.ArrayList;
import java.util.List;

/**
 * One run that is to be done.
 *
 * @param repeat which time over, from 1
 * @param scenario its fault; {@link Scenario#NONE} for clean runs, which belong to no fault
 * @param mode under whose eyes
 * @param spec what the job is
 */
public record PlannedRun(int repeat, Scenario scenario, Mode mode, JobSpec spec) {

  /**
   * All runs of a demo. Repeats are outermost, so that what drifts on the machine drifts for all.
   * One clean run in each repeat serves every fault with the same input.
   */
  static List<PlannedRun> of(DemoOptions options) {
    List<PlannedRun> plan = new ArrayList<>();
    for (int repeat = 1; repeat <= options.runs(); repeat++) {
      if (options.scenarios().stream().anyMatch(PlannedRun::needsClean)) {
        plan.add(new PlannedRun(repeat, Scenario.NONE, Mode.CLEAN, options.spec(Scenario.NONE)));
      }
      for (Scenario scenario : options.scenarios()) {
        for (Mode mode : modes(scenario)) {
          plan.add(new PlannedRun(repeat, scenario, mode, options.spec(scenario)));
        }
      }
    }
    return plan;
  }

  /** A clean run is the yardstick of a fault; where nothing fails there is nothing to measure. */
  static boolean needsClean(Scenario scenario) {
    return scenario != Scenario.NONE && scenario != Scenario.SKEW;
  }

  private static List<Mode> modes(Scenario scenario) {
    return scenario == Scenario.NONE
        ? List.of(Mode.STOCK, Mode.DROVER)
        : List.of(Mode.OFF, Mode.STOCK, Mode.DROVER);
  }

  /** Whether the run's result counts for a scenario. */
  boolean countsFor(Scenario other) {
    return mode == Mode.CLEAN ? needsClean(other) : scenario == other;
  }

  /** A few words for a line of progress. */
  String title() {
    return mode == Mode.CLEAN ? "clean" : scenario.key() + ", " + mode.key();
  }
}
