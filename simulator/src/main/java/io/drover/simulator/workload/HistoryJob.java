// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.core.model.TaskKind;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.apache.commons.math3.stat.StatUtils;

/**
 * A job as recorded in a job history.
 *
 * @param submitSeconds the time of submission, on the history's own clock
 * @param maps the maps that succeeded, in order
 * @param reduces the reduces that succeeded, in order
 * @param tasks the number of recorded maps and reduces, with those that never succeeded
 */
record HistoryJob(String id, double submitSeconds, List<Task> maps, List<Task> reduces, int tasks) {
  /**
   * The first successful attempt of a task.
   *
   * @param bytes the bytes that it read, above 0; empty if they were not recorded
   * @param start the start in seconds, on the history's own clock
   * @param end the end in seconds, not before the start
   */
  record Task(OptionalLong bytes, double start, double end) {}

  /** Converts a recorded number of bytes. Both -1 and 0 mean that it was not recorded. */
  static OptionalLong bytes(long recorded) {
    return recorded > 0 ? OptionalLong.of(recorded) : OptionalLong.empty();
  }

  /** Returns the number of tasks that never succeeded. */
  int unfinished() {
    return tasks - maps.size() - reduces.size();
  }

  /** Returns the same job with another name. */
  HistoryJob named(String other) {
    return new HistoryJob(other, submitSeconds, maps, reduces, tasks);
  }

  /** Returns the time when the last map ended, on the history's own clock. */
  double mapsEnd() {
    return maps.stream().mapToDouble(Task::end).max().orElse(0);
  }

  /**
   * Splits a recorded phase into work and luck. The work is the bytes of each task and the seconds
   * per byte of the phase, which is the median over its tasks. The luck is a factor for each task:
   * how many times longer it took than its work predicts.
   *
   * <p>The recorded bytes are used if all tasks have them and they explain the durations. Otherwise
   * all tasks get one byte each, and the whole difference is luck. The bytes do not explain the
   * durations if the logarithm of duration/bytes spreads over a quarter more than that of the
   * duration. Most of the time then went into something else, such as starting a process for 300
   * bytes. A factor from such a task would make a task of 300 MB last for months.
   */
  static final class HistoryPhase {
    /** How many times wider the spread may be. Chosen: real phases lie far from this limit. */
    private static final double EXPLAINED = 1.25;

    /** Replaces a duration of 0, which is one below the clock's tick. */
    private static final double TICK_SECONDS = 0.001;

    private final PhaseSpec spec;
    private final double[] factors;
    private final boolean realBytes;

    /**
     * Creates the phase of some tasks.
     *
     * @param tasks at least one
     * @param earliest the time before which no time of a task counts, because a reduce that was
     *     started early was waiting for maps
     */
    HistoryPhase(TaskKind kind, List<HistoryJob.Task> tasks, double earliest) {
      double[] seconds =
          tasks.stream()
              .mapToDouble(t -> Math.max(TICK_SECONDS, t.end() - Math.max(t.start(), earliest)))
              .toArray();
      long[] recorded = tasks.stream().mapToLong(t -> t.bytes().orElse(0)).toArray();
      this.realBytes =
          Arrays.stream(recorded).allMatch(b -> b > 0)
              && spread(ratios(seconds, recorded)) <= EXPLAINED * spread(seconds) + 1e-9;
      long[] bytes = realBytes ? recorded : equal(tasks.size());
      double[] ratios = ratios(seconds, bytes);
      double secondsPerByte = StatUtils.percentile(ratios, 50);
      this.spec = new PhaseSpec(kind, bytes, secondsPerByte);
      this.factors = Arrays.stream(ratios).map(ratio -> ratio / secondsPerByte).toArray();
    }

    PhaseSpec spec() {
      return spec;
    }

    /** Returns the factor of each task, above 0; their median is 1. */
    double[] factors() {
      return factors;
    }

    boolean hasRealBytes() {
      return realBytes;
    }

    private static long[] equal(int tasks) {
      long[] bytes = new long[tasks];
      Arrays.fill(bytes, 1);
      return bytes;
    }

    private static double[] ratios(double[] seconds, long[] bytes) {
      double[] ratios = new double[seconds.length];
      for (int task = 0; task < ratios.length; task++) {
        ratios[task] = seconds[task] / bytes[task];
      }
      return ratios;
    }

    /** Returns the standard deviation of the logarithm. */
    private static double spread(double[] values) {
      return Math.sqrt(
          StatUtils.populationVariance(Arrays.stream(values).map(Math::log).toArray()));
    }
  }
}
