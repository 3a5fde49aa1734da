// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.workload;

import io.drover.core.model.TaskKind;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.apache.commons.math3.stat.StatUtils;

/**
 * A job as its history recorded it.
 *
 * @param submitSeconds on the history's own clock
 * @param maps those that succeeded, in their order
 * @param reduces those that succeeded, in their order
 */
record HistoryJob(String id, double submitSeconds, List<Task> maps, List<Task> reduces) {
  /**
   * The first successful attempt of a task.
   *
   * @param bytes that it read, where they were recorded; above 0
   * @param start seconds, on the history's own clock
   * @param end seconds, not before the start
   */
  record Task(OptionalLong bytes, double start, double end) {}

  /** A recorded number of bytes; -1, 0 and nothing all mean that it was not recorded. */
  static OptionalLong bytes(long recorded) {
    return recorded > 0 ? OptionalLong.of(recorded) : OptionalLong.empty();
  }

  /** When the last map had ended, on the history's own clock. */
  double mapsEnd() {
    return maps.stream().mapToDouble(Task::end).max().orElse(0);
  }

  /**
   * A phase of a history as work and luck: the bytes of each task, the seconds per byte of the
   * phase, which is the median over its tasks, and by which factor each task took longer than these
   * give.
   *
   * <p>The recorded bytes are taken if all tasks have them and they explain the durations. Else the
   * tasks count as equal, one byte each, and all the difference is luck. They do not explain them
   * if the logarithm of duration/bytes spreads by over a quarter more than that of the duration:
   * then most of the time went into something else, such as the start of a process for 300 bytes,
   * and a factor from there, given to a task of 300 MB, would make it last for months.
   */
  static final class HistoryPhase {
    /** How much wider the spread may be; see above. Chosen: the phases of real data lie far off. */
    private static final double EXPLAINED = 1.25;

    /** A duration of 0 is one below the clock's tick. */
    private static final double TICK_SECONDS = 0.001;

    private final PhaseSpec spec;
    private final double[] factors;
    private final boolean realBytes;

    /**
     * The phase of some tasks.
     *
     * @param tasks at least one
     * @param earliest before this nothing of a task counts as its own time: a reduce that was
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

    /** Of each task, above 0; the median is 1. */
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

    /** Standard deviation of the logarithm. */
    private static double spread(double[] values) {
      return Math.sqrt(
          StatUtils.populationVariance(Arrays.stream(values).map(Math::log).toArray()));
    }
  }
}
