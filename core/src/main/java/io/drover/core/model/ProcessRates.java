// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.Arrays;
import java.util.Map;

/**
 * The observed process rates of a phase at one moment, seconds per unit of input, and the machines
 * they were observed on.
 *
 * <p>Machines are small numbers inside, so that grouping the rates by machine, which is put off
 * until somebody asks, is a counting sort.
 */
public final class ProcessRates {
  private final Map<String, Integer> numbers;
  private int[] machines;
  private double[] rates;
  private int count;
  private double[] grouped;
  private int[] ends;

  /** {@code numbers} maps the machines to 0, 1, 2…, and may grow later. */
  ProcessRates(int expected, Map<String, Integer> numbers) {
    this.numbers = numbers;
    machines = new int[Math.max(1, expected)];
    rates = new double[machines.length];
  }

  /** Takes in a rate; {@code machine} is its number, below 0 if it is not known. */
  void add(int machine, double rate) {
    if (count == rates.length) {
      machines = Arrays.copyOf(machines, 2 * count);
      rates = Arrays.copyOf(rates, 2 * count);
    }
    machines[count] = machine;
    rates[count++] = rate;
  }

  /** All rates, in no particular order; a fresh array. */
  public double[] all() {
    return Arrays.copyOf(rates, count);
  }

  /** How many rates were observed on the machine of an attempt; 0 if it has none yet. */
  public int countOn(AttemptModel attempt) {
    if (grouped == null) {
      group();
    }
    int machine = attempt.machineNumber();
    return machine < 0 || machine + 1 >= ends.length ? 0 : ends[machine + 1] - ends[machine];
  }

  /** The rates observed on one machine, in no particular order; a fresh array. */
  public double[] on(String machine) {
    if (grouped == null) {
      group();
    }
    Integer number = numbers.get(machine);
    if (number == null || number + 1 >= ends.length) {
      return new double[0];
    }
    return Arrays.copyOfRange(grouped, ends[number], ends[number + 1]);
  }

  /** Afterwards the rates of machine m stand in {@code grouped} from ends[m] to ends[m + 1]. */
  private void group() {
    ends = new int[numbers.size() + 1];
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
