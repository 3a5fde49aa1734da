// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The observed process rates of a phase at one moment, in seconds per unit of input, with the
 * machines on which they were observed.
 *
 * <p>Machines are small numbers ({@link AttemptModel#machineNumber}). So the grouping by machine,
 * done on first use, is a counting sort.
 */
public final class ProcessRates {
  private int[] machines;
  private double[] rates;
  private int count;
  private double[] grouped;
  private int[] ends;

  ProcessRates(int expected) {
    machines = new int[Math.max(1, expected)];
    rates = new double[machines.length];
  }

  /** Adds a rate unless it is NaN; the machine's number is below 0 if it is not known. */
  void add(int machine, double rate) {
    if (Double.isNaN(rate)) {
      return;
    }
    if (count == rates.length) {
      machines = Arrays.copyOf(machines, 2 * count);
      rates = Arrays.copyOf(rates, 2 * count);
    }
    machines[count] = machine;
    rates[count++] = rate;
  }

  /** Adds the rates of a task's running attempts, by how long each takes for all: if finite. */
  void addRunning(TaskModel task, ToDoubleFunction<WorkPace> seconds) {
    PhaseModel phase = task.phase();
    List<AttemptModel> attempts = task.attempts();
    for (int i = 0; i < attempts.size(); i++) {
      AttemptModel attempt = attempts.get(i);
      boolean isAtIt = attempt.state() == AttemptState.RUNNING && attempt.isAtMainWork();
      if (isAtIt && !phase.isMisleading(attempt)) {
        double rate = phase.sizes().rate(task, seconds.applyAsDouble(attempt.pace()));
        if (rate < Double.POSITIVE_INFINITY) {
          add(attempt.machineNumber(), rate);
        }
      }
    }
  }

  /** Returns all rates, in no particular order, in a new array. */
  public double[] all() {
    return Arrays.copyOf(rates, count);
  }

  /** Returns on how many machines rates were observed. */
  public int machines() {
    return (int) Arrays.stream(machines, 0, count).distinct().count();
  }

  /** Returns how many rates were observed on a machine; 0 if its number is below 0. */
  public int countOn(int machine) {
    if (grouped == null) {
      group();
    }
    return machine < 0 || machine + 1 >= ends.length ? 0 : ends[machine + 1] - ends[machine];
  }

  /** Returns the rates observed on one machine, in no particular order, in a new array. */
  public double[] on(int machine) {
    int there = countOn(machine);
    return there == 0
        ? new double[0]
        : Arrays.copyOfRange(grouped, ends[machine], ends[machine + 1]);
  }

  /** Puts the rates of machine m into {@code grouped}, from ends[m] to ends[m + 1]. */
  private void group() {
    ends = new int[Arrays.stream(machines, 0, count).max().orElse(-1) + 2];
    for (int i = 0; i < count; i++) {
      if (machines[i] >= 0) {
        ends[machines[i]]++;
      }
    }
    for (int m = 1; m < ends.length; m++) {
      ends[m] += ends[m - 1];
    }
    grouped = new double[count];
    for (int i = 0; i < count; i++) {
      if (machines[i] >= 0) {
        grouped[--ends[machines[i]]] = rates[i];
      }
    }
  }
}
