// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;

/** Lists the tasks that a job which takes too long has not finished, for people. */
final class UnfinishedTasks {
  /** Tasks told of one by one; more would say no more. */
  private static final int MOST = 8;

  private UnfinishedTasks() {}

  /** Where Hadoop tells of a job's tasks. */
  @FunctionalInterface
  interface Reports {
    /** All of a type. */
    TaskReport[] of(TaskType type) throws IOException, InterruptedException;
  }

  /** The tasks that are not done, each with its state, its progress and the attempts that run. */
  static String tasks(Reports job) throws IOException, InterruptedException {
    List<String> open = new ArrayList<>();
    for (TaskType type : List.of(TaskType.MAP, TaskType.REDUCE)) {
      for (TaskReport task : job.of(type)) {
        if (task.getFinishTime() == 0) {
          open.add(words(task));
        }
      }
    }
    String more = open.size() > MOST ? "; and " + (open.size() - MOST) + " more" : "";
    return open.isEmpty()
        ? "no task of it is open"
        : String.join("; ", open.subList(0, Math.min(MOST, open.size()))) + more;
  }

  private static String words(TaskReport task) {
    return String.format(
        Locale.ROOT,
        "%s %s %.0f %% %s",
        task.getTaskId(),
        task.getCurrentStatus(),
        100 * task.getProgress(),
        task.getRunningTaskAttemptIds());
  }
}
