// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptFetchFailureEvent;

/**
 * Counts the notices of failed fetches once for each reduce task, however many attempts of it run.
 *
 * <p><b>What stock Hadoop does.</b> JobImpl counts the notices of all attempts of reduces about a
 * map's output, and declares the output lost when there are {@code
 * mapreduce.reduce.shuffle.max-fetch-failures-notifications} (3) of them and they are at least
 * {@code max-fetch-failures-fraction} (0.5) of the reduce <em>tasks</em> that shuffle. The map
 * attempt then counts as FAILED. A reduce and its two clones meet one short outage together and
 * give three notices where stock would have heard one.
 *
 * <p><b>What is done here.</b> Of attempts that run at once as many notices pass as the most vocal
 * one gave. That is what stock would have heard if the task had only had that attempt. What
 * attempts gave that have ended counts on: an attempt begins at the most that any of them gave.
 *
 * <p><b>Why nothing is lost.</b> An attempt that cannot fetch goes on giving notices, and each one
 * that its task has not given before passes: where only one attempt can speak, all it says passes.
 * Attempts that follow one another, each of which gives one notice and fails, add up as in stock.
 *
 * <p>Used on the dispatcher thread only. An entry is kept for each pair of a map attempt and a
 * reduce attempt that could not fetch from it.
 */
public final class FetchNotices {
  private record OfTask(TaskAttemptId map, TaskId reduce) {}

  /** How many notices each attempt of a reduce has given, those of its predecessors included. */
  private final Map<OfTask, Map<TaskAttemptId, Integer>> given = new HashMap<>();

  private final Predicate<TaskAttemptId> hasEnded;

  /**
   * The notices of one job.
   *
   * @param hasEnded tells which attempts of reduces run no more
   */
  public FetchNotices(Predicate<TaskAttemptId> hasEnded) {
    this.hasEnded = hasEnded;
  }

  /** The maps of a notice that Hadoop is to count; empty if it is to count none. */
  public List<TaskAttemptId> counted(JobTaskAttemptFetchFailureEvent notice) {
    return notice.getMaps().stream().filter(map -> passes(map, notice.getReduce())).toList();
  }

  private boolean passes(TaskAttemptId map, TaskAttemptId reduce) {
    Map<TaskAttemptId, Integer> ofTask =
        given.computeIfAbsent(new OfTask(map, reduce.getTaskId()), task -> new HashMap<>());
    int most = most(ofTask, attempt -> true);
    Integer before = ofTask.get(reduce);
    int now = 1 + (before == null ? most(ofTask, hasEnded) : before);
    ofTask.put(reduce, now);
    return now > most;
  }

  private static int most(Map<TaskAttemptId, Integer> given, Predicate<TaskAttemptId> of) {
    return given.keySet().stream().filter(of).mapToInt(given::get).max().orElse(0);
  }
}
