// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptFetchFailureEvent;

/**
 * Counts the notices of failed fetches once for each reduce task, however many attempts it has.
 *
 * <p><b>What stock Hadoop does.</b> JobImpl counts the notices of all attempts of reduces about a
 * map's output, and declares the output lost when there are {@code
 * mapreduce.reduce.shuffle.max-fetch-failures-notifications} (3) of them and they are at least
 * {@code max-fetch-failures-fraction} (0.5) of the reduce <em>tasks</em> that shuffle. The map
 * attempt then counts as FAILED. A reduce and its two clones meet one short outage together and
 * give three notices where stock would have heard one.
 *
 * <p><b>What is done here.</b> Of a task as many notices pass as its most vocal attempt gave. That
 * is what stock would have heard if the task had only had that attempt.
 *
 * <p><b>Why nothing is lost.</b> An attempt that cannot fetch goes on giving notices, and each one
 * that its task has not given before passes: where only one attempt can speak, all it says passes.
 *
 * <p>Used on the dispatcher thread only. An entry is kept for each pair of a map attempt and a
 * reduce attempt that could not fetch from it.
 */
public final class FetchNotices {
  private record Pair(TaskAttemptId map, TaskAttemptId reduce) {}

  private record OfTask(TaskAttemptId map, TaskId reduce) {}

  private final Map<Pair, Integer> given = new HashMap<>();
  private final Map<OfTask, Integer> passed = new HashMap<>();

  /** The maps of a notice that Hadoop is to count; empty if it is to count none. */
  public List<TaskAttemptId> counted(JobTaskAttemptFetchFailureEvent notice) {
    return notice.getMaps().stream().filter(map -> passes(map, notice.getReduce())).toList();
  }

  private boolean passes(TaskAttemptId map, TaskAttemptId reduce) {
    int ofAttempt = given.merge(new Pair(map, reduce), 1, Integer::sum);
    OfTask task = new OfTask(map, reduce.getTaskId());
    boolean isNew = ofAttempt > passed.getOrDefault(task, 0);
    if (isNew) {
      passed.put(task, ofAttempt);
    }
    return isNew;
  }
}
