// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.job.impl;

import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitMetaInfo;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;

/** Gives access to the places that {@link TaskAttemptImpl} will ask for. Decides nothing. */
public final class DroverLocality {
  private DroverLocality() {}

  /**
   * Removes a host from those for which an attempt will ask, if it has not asked yet. This is only
   * a preference: the scheduler may still give it that host.
   */
  public static void avoid(TaskAttempt attempt, String host) {
    if (attempt instanceof TaskAttemptImpl impl) {
      impl.dataLocalHosts.remove(host);
    }
  }

  /** Returns the hosts that hold the input of an attempt of a map; none for a reduce. */
  public static Set<String> hosts(Task task, TaskAttemptId id) {
    return task.getAttempt(id) instanceof TaskAttemptImpl impl
        ? Set.copyOf(impl.dataLocalHosts)
        : Set.of();
  }

  /** Returns the split that a map reads; empty for a reduce. */
  public static Optional<TaskSplitMetaInfo> split(Task task) {
    return task instanceof MapTaskImpl map
        ? Optional.of(map.getTaskSplitMetaInfo())
        : Optional.empty();
  }

  /** Returns the racks that hold the input of a map; none for a reduce. */
  public static Set<String> racks(TaskAttempt attempt) {
    return attempt instanceof TaskAttemptImpl impl ? Set.copyOf(impl.dataLocalRacks) : Set.of();
  }
}
