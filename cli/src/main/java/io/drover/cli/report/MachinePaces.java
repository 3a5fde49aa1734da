// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.testbed.history.AttemptRecord;
import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.history.TaskRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ObjDoubleConsumer;
import org.apache.commons.math3.stat.StatUtils;

/**
 * How many times as long as usual the attempts of a job took on each machine. An attempt that was
 * killed took at least as long as it ran, so it counts once it ran longer than usual. One that
 * failed says nothing about the pace of its machine, nor does one whose time is not known.
 */
final class MachinePaces {
  private final Map<String, List<Pace>> byMachine = new HashMap<>();

  /** The pace of one attempt: its time by the median of its phase. */
  record Pace(TaskRecord task, AttemptRecord attempt, double factor) {
    boolean isSlow() {
      return factor > PhaseTimes.SLOW;
    }
  }

  /** Takes in the attempts of a phase, unless it has too few tasks to tell what is usual. */
  void add(PhaseTimes phase) {
    if (phase.median().isEmpty()) {
      return;
    }
    for (TaskRecord task : phase.tasks()) {
      for (AttemptRecord attempt : task.attempts()) {
        double factor = phase.seconds(attempt) / phase.median().getAsDouble();
        boolean succeeded = attempt.won() || attempt.outcome() == Outcome.OUTPUT_LOST;
        boolean tells = succeeded ? phase.isTimed(attempt) : factor > 1;
        if (tells && attempt.outcome() != Outcome.FAILED) {
          byMachine
              .computeIfAbsent(attempt.node(), node -> new ArrayList<>())
              .add(new Pace(task, attempt, factor));
        }
      }
    }
  }

  /** Returns the paces of other tasks' attempts on a machine. */
  List<Pace> others(String machine, TaskRecord task) {
    return byMachine.getOrDefault(machine, List.of()).stream()
        .filter(pace -> !pace.task().name().equals(task.name()))
        .toList();
  }

  /**
   * Returns how many times as long as usual the attempts of other tasks took on a machine, in the
   * median; empty if there were none.
   */
  OptionalDouble ofOthers(String machine, TaskRecord task) {
    return median(others(machine, task));
  }

  /** Returns the median of paces; empty if there are none. */
  static OptionalDouble median(List<Pace> paces) {
    double[] factors = paces.stream().mapToDouble(Pace::factor).toArray();
    return factors.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(StatUtils.percentile(factors, 50));
  }

  /** Passes on each attempt that tells something about its machine: the machine, and its pace. */
  void forEach(ObjDoubleConsumer<String> target) {
    byMachine.forEach(
        (machine, paces) -> paces.forEach(pace -> target.accept(machine, pace.factor())));
  }
}
