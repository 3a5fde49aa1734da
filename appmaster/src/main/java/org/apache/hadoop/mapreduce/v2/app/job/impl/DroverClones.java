// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskStateInternal;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;

/** Adds attempts to tasks, even before their first attempt is launched. Decides nothing. */
public final class DroverClones {
  private DroverClones() {}

  /**
   * Adds an attempt to a task that is scheduled or running. Runs on the dispatcher thread only.
   *
   * <p>A scheduled task accepts no further attempt. It becomes running when one of its attempts is
   * launched, and that transition only counts the task as running. So the task gets the launch
   * event a little early. The real launch then finds a running task, which Hadoop allows.
   *
   * @return the new attempt; empty if the task is neither scheduled nor running, or not Drover's
   */
  public static Optional<TaskAttemptId> add(Task task) {
    if (!(task instanceof DroverMapTask) && !(task instanceof DroverReduceTask)) {
      return Optional.empty();
    }
    TaskImpl impl = (TaskImpl) task;
    if (impl.getInternalState() == TaskStateInternal.SCHEDULED) {
      impl.handle(new TaskEvent(task.getID(), TaskEventType.T_ATTEMPT_LAUNCHED));
    }
    if (impl.getInternalState() != TaskStateInternal.RUNNING) {
      return Optional.empty();
    }
    Set<TaskAttemptId> before = Set.copyOf(task.getAttempts().keySet());
    impl.handle(new TaskEvent(task.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
    return task.getAttempts().keySet().stream().filter(id -> !before.contains(id)).findFirst();
  }
}
