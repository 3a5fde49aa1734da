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
 * Applies a job's limits of running attempts ({@code mapreduce.job.running.map.limit} and {@code
 * .reduce.limit}) to clones and to all other attempts.
 *
 * <p><b>What stock Hadoop does.</b> It assigns no container beyond the limit (canAssignMaps), and
 * it requests no more than the limit leaves (applyConcurrentTaskLimits). For the latter, it counts
 * the requests of maps that failed before in a list of its own, and only its own assignment removes
 * entries from that list.
 *
 * <p><b>What is done here.</b> The counts are taken from the current requests instead. If Drover
 * assigns or cancels such a request, its entry stays in Hadoop's list. Then stock would request too
 * few maps, and in the end none.
 *
 * <p><b>Why nothing is lost.</b> If that list has no such entry, the counts are stock's.
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

  /** Returns whether the job sets a limit. */
  boolean areSet() {
    return maps > 0 || reduces > 0;
  }

  /** Returns how many attempts of a kind may run at once; 0 if the job sets no limit. */
  int of(TaskKind kind) {
    return kind == TaskKind.MAP ? maps : reduces;
  }

  /** Returns whether as many attempts of a kind run as the limit allows. */
  boolean isReached(TaskKind kind) {
    return of(kind) > 0 && assigned(kind) >= of(kind);
  }

  /** Returns whether as many attempts of this one's kind run as the limit allows. */
  boolean isReached(TaskAttemptId attempt) {
    return isReached(TaskKindMapping.of(attempt));
  }

  private int assigned(TaskKind kind) {
    return kind == TaskKind.MAP
        ? allocator.getAssignedRequests().maps.size()
        : allocator.getAssignedRequests().reduces.size();
  }

  /**
   * Returns how many containers of a priority to request at once.
   *
   * @param hadoops the number that Hadoop would request
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
