// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.config.Mode;
import io.drover.core.model.EstimatorSettings;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.TaskKind;
import io.drover.core.order.LargestFirst;
import io.drover.speculator.Breakers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverMapSplits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the order in which the tasks of a job start. */
final class TaskStartOrder {
  private static final Logger LOG = LoggerFactory.getLogger(TaskStartOrder.class);

  private TaskStartOrder() {}

  /** Returns how tasks are ordered in a mode. */
  static UnaryOperator<List<Task>> of(Mode mode, Breakers breakers) {
    return switch (mode) {
      case OFF -> UnaryOperator.identity();
      case OBSERVE -> tasks -> contained(tasks, TaskStartOrder::observed, breakers);
      case ON -> tasks -> contained(tasks, TaskStartOrder::largestFirst, breakers);
    };
  }

  /** Applies an order, or none on an error: nothing may be thrown on the dispatcher thread. */
  private static List<Task> contained(
      List<Task> tasks, UnaryOperator<List<Task>> order, Breakers breakers) {
    List<Task> ordered = new ArrayList<>();
    boolean isDone = breakers.contain("The start order", () -> ordered.addAll(order.apply(tasks)));
    return isDone ? ordered : tasks;
  }

  private static List<Task> observed(List<Task> tasks) {
    List<Task> ordered = largestFirst(tasks);
    long moved =
        IntStream.range(0, tasks.size()).filter(i -> tasks.get(i) != ordered.get(i)).count();
    LOG.info("Largest first would move {} of {} tasks in the start order", moved, tasks.size());
    return tasks;
  }

  /**
   * Sorts maps by the length of their splits, the largest first; small ones keep their order. What
   * a reduce will read is not known when the job starts, so reduces keep their order too.
   *
   * <p>Hadoop's own client writes the splits in this order. Other clients, and input formats that
   * submit by themselves, need not.
   */
  static List<Task> largestFirst(List<Task> tasks) {
    PhaseModel phase =
        new PhaseModel(TaskKind.MAP, EstimatorSettings.withPeriod(Duration.ofSeconds(1)));
    for (Task task : tasks) {
      phase.addTask(DroverMapSplits.length(task));
    }
    return new LargestFirst()
        .order(phase.tasks(), 0).stream().map(start -> tasks.get(start.task().index())).toList();
  }
}
