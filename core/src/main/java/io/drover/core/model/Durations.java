// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.Arrays;

/**
 * Holds the durations of one sub-phase, in seconds per unit of the tasks' input, but for those of
 * tasks that are small beside others.
 *
 * <p>The size of a task may become known, or change, after one of its attempts was observed; a
 * reduce is an example. So this class keeps the seconds and the task of each observation. It
 * divides them by the size on demand, and again only if a size has changed since.
 */
final class Durations {
  private final PhaseModel phase;
  private TaskModel[] tasks = new TaskModel[16];
  private int[] machines = new int[16];
  private double[] seconds = new double[16];
  private double[] rates = new double[16];
  private int count;
  private int rated;
  private RunningMean mean = new RunningMean();
  private long sizesSeen;

  Durations(PhaseModel phase) {
    this.phase = phase;
  }

  /** Adds the seconds that an attempt took, or would take, for the sub-phase. */
  void add(AttemptModel attempt, double full) {
    if (!(full >= 0 && full < Double.POSITIVE_INFINITY)) {
      return;
    }
    if (count == seconds.length) {
      tasks = Arrays.copyOf(tasks, 2 * count);
      machines = Arrays.copyOf(machines, 2 * count);
      seconds = Arrays.copyOf(seconds, 2 * count);
      rates = Arrays.copyOf(rates, 2 * count);
    }
    tasks[count] = attempt.task();
    machines[count] = attempt.machineNumber();
    seconds[count++] = full;
  }

  int count() {
    return count;
  }

  /** Returns the mean seconds per unit; NaN before the first observation. */
  double mean() {
    rate();
    return mean.orElse(Double.NaN);
  }

  /** Adds the observations, in seconds per unit, to {@code target}. */
  void copyTo(ProcessRates target) {
    rate();
    for (int i = 0; i < count; i++) {
      target.add(machines[i], rates[i]);
    }
  }

  private void rate() {
    if (sizesSeen != phase.sizes().changes()) {
      sizesSeen = phase.sizes().changes();
      rated = 0;
      mean = new RunningMean();
    }
    for (; rated < count; rated++) {
      rates[rated] = phase.sizes().rate(tasks[rated], seconds[rated]);
      mean.add(rates[rated]);
    }
  }
}
