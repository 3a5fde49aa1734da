// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a cluster does, by priority, in windows of five minutes: jobs and tasks that arrive and end,
 * and tasks that run and wait (slides, "System Features").
 *
 * <p>The source leaves open how windows lie. Here they follow each other, and a job sees the last
 * two that have ended when it arrives: the figures of the later one, and how they have changed. So
 * all jobs of one priority that arrive in a window see the same.
 *
 * <p>Departure: figures enter as log(1 + n), because they span several orders of magnitude, and one
 * huge job would otherwise outweigh a day of others.
 */
final class SystemLoad {
  /** Seconds (slides, "System Features (1)"). */
  static final double WINDOW = 300;

  private static final int KINDS = 6;
  private static final int JOBS_ARRIVING = 0;
  private static final int TASKS_ARRIVING = 1;
  private static final int JOBS_ENDING = 2;
  private static final int TASKS_ENDING = 3;
  private static final int TASKS_RUNNING = 4;
  private static final int TASKS_PENDING = 5;

  private final Map<Integer, double[]> now = new TreeMap<>();
  private Map<Integer, double[]> last = Map.of();
  private Map<Integer, double[]> before = Map.of();
  private long window = Long.MIN_VALUE;

  private double[] of(int priority) {
    return now.computeIfAbsent(priority, p -> new double[KINDS]);
  }

  /** Ends windows. Time that goes back is ignored. */
  void advance(double at) {
    long current = (long) Math.floor(at / WINDOW);
    if (window == Long.MIN_VALUE) {
      window = current;
    }
    for (long steps = Math.min(2, current - window); steps > 0; steps--) {
      before = last;
      last = new TreeMap<>();
      now.forEach((priority, counts) -> last.put(priority, counts.clone()));
      now.values().forEach(counts -> Arrays.fill(counts, 0, TASKS_RUNNING, 0));
      now.values().removeIf(counts -> counts[TASKS_RUNNING] <= 0 && counts[TASKS_PENDING] <= 0);
    }
    window = Math.max(window, current);
  }

  void submitted(int priority, double tasks) {
    double[] counts = of(priority);
    counts[JOBS_ARRIVING]++;
    counts[TASKS_ARRIVING] += tasks;
    counts[TASKS_PENDING] += tasks;
  }

  /** Notes that a job has another number of tasks than it seemed to have. */
  void corrected(int priority, double more, boolean hasStarted) {
    double[] counts = of(priority);
    counts[TASKS_ARRIVING] = Math.max(0, counts[TASKS_ARRIVING] + more);
    int which = hasStarted ? TASKS_RUNNING : TASKS_PENDING;
    counts[which] = Math.max(0, counts[which] + more);
  }

  void started(int priority, double tasks) {
    double[] counts = of(priority);
    counts[TASKS_PENDING] = Math.max(0, counts[TASKS_PENDING] - tasks);
    counts[TASKS_RUNNING] += tasks;
  }

  void ended(int priority, double tasks, boolean hasStarted) {
    double[] counts = of(priority);
    counts[JOBS_ENDING]++;
    counts[TASKS_ENDING] += tasks;
    int which = hasStarted ? TASKS_RUNNING : TASKS_PENDING;
    counts[which] = Math.max(0, counts[which] - tasks);
  }

  /** Writes the features of a job that arrives now, from a place on. */
  void write(int priority, double[] features, int from) {
    double[] later = logs(last, priority);
    double[] earlier = logs(before, priority);
    for (int i = 0; i < later.length; i++) {
      features[from + i] = later[i];
      features[from + later.length + i] = later[i] - earlier[i];
    }
  }

  /** Returns the logs for the same, for lower and for higher priorities. */
  private static double[] logs(Map<Integer, double[]> window, int priority) {
    double[] sums = new double[3 * KINDS];
    window.forEach(
        (other, counts) -> {
          int group = other == priority ? 0 : other < priority ? 1 : 2;
          for (int kind = 0; kind < KINDS; kind++) {
            sums[group * KINDS + kind] += counts[kind];
          }
        });
    Arrays.setAll(sums, i -> Math.log1p(sums[i]));
    return sums;
  }
}
