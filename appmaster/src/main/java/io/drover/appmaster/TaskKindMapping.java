// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.model.TaskKind;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;

/** Maps Hadoop's task types to Drover's task kinds. */
public final class TaskKindMapping {
  private TaskKindMapping() {}

  /** Returns the kind of an attempt's task. */
  public static TaskKind of(TaskAttemptId attempt) {
    return of(attempt.getTaskId());
  }

  /** Returns the kind of a task. */
  static TaskKind of(TaskId task) {
    return task.getTaskType() == TaskType.MAP ? TaskKind.MAP : TaskKind.REDUCE;
  }

  /** Returns Hadoop's type for a kind of task. */
  public static TaskType type(TaskKind kind) {
    return kind == TaskKind.MAP ? TaskType.MAP : TaskType.REDUCE;
  }
}
