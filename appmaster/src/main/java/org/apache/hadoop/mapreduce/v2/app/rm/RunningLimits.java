// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app.rm;

import io.drover.appmaster.TaskKindMapping;
import io.drover.core.model.TaskKind;
import java.util.Collection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerRequestor.ContainerRequest;
import org.apache.hadoop.yarn.api.records.Priority;

/**
 * The number of attempts that a job allows to run at once ({@code mapreduce.job.running.map.limit}
 * and {@code .reduce.limit}), for clones as for all others.
 *
 * <p><b>What stock does.</b> It hands out no container beyond the limit (canAssignMaps), and asks
 * for no more than the limit leaves (applyConcurrentTaskLimits). For the latter it counts requests
 * of maps that failed before by a list of its own, from which only its own assignment takes
 * entries.
 *
 * <p><b>What is done here.</b> The same counts are taken from the requests that there are. With
 * entries in that list of what was given a container or cancelled past Hadoop's assignment, stock
 * asks for too few maps, and in the end for none.
 *
 * <p><b>Why nothing is lost.</b> Where that list has no such entry the counts are stock's own.
 */
final class RunningLimits {
  private final RMContainerAllocator allocator;
  private int maps;
  private int reduces;

  RunningLimits(RMContainerAllocator allocator) {
    this.allocator = allocator;
  }

  void read(Configuration conf) {
    maps = Math.max(0, conf.getInt(MRJobConfig.JOB_RUNNING_MAP_LIMIT, 0));
    reduces = Math.max(0, conf.getInt(MRJobConfig.JOB_RUNNING_REDUCE_LIMIT, 0));
  }

  /** Whether the job sets any. */
  boolean areSet() {
    return maps > 0 || reduces > 0;
  }

  /** How many attempts of a kind may run at once; 0 if the job does not say. */
  int of(TaskKind kind) {
    return kind == TaskKind.MAP ? maps : reduces;
  }

  /** Whether as many attempts of a kind run as may. */
  boolean isReached(TaskKind kind) {
    return of(kind) > 0 && assigned(kind) >= of(kind);
  }

  /** Whether as many attempts of the kind of this one run as may. */
  boolean isReached(TaskAttemptId attempt) {
    return isReached(TaskKindMapping.of(attempt));
  }

  private int assigned(TaskKind kind) {
    return kind == TaskKind.MAP
        ? allocator.getAssignedRequests().maps.size()
        : allocator.getAssignedRequests().reduces.size();
  }

  /**
   * How many containers of a priority are to be asked for at once.
   *
   * @param hadoops what Hadoop would ask for
   */
  int requests(Priority priority, int hadoops) {
    boolean isFailFast = RMContainerAllocator.PRIORITY_FAST_FAIL_MAP.equals(priority);
    boolean isMap =
        RMContainerAllocator.PRIORITY_MAP.equals(priority)
            || RMContainerAllocator.PRIORITY_OPPORTUNISTIC_MAP.equals(priority);
    if (!isFailFast && !isMap) {
      return hadoops;
    }
    Collection<ContainerRequest> waiting = allocator.getScheduledRequests().maps.values();
    int room = Math.max(0, maps - assigned(TaskKind.MAP));
    int failFast = 0;
    for (ContainerRequest request : waiting) {
      boolean is = RMContainerAllocator.PRIORITY_FAST_FAIL_MAP.equals(request.priority);
      failFast += is ? 1 : 0;
    }
    int failFastAsked = Math.min(room, failFast);
    return isFailFast ? failFastAsked : Math.min(room - failFastAsked, waiting.size() - failFast);
  }
}
