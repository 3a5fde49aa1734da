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
 * map's output. It declares the output lost when there are {@code
 * mapreduce.reduce.shuffle.max-fetch-failures-notifications} (3) of them and they are at least
 * {@code max-fetch-failures-fraction} (0.5) of the reduce <em>tasks</em> that shuffle. The map
 * attempt then counts as FAILED. If a reduce and its two clones meet one short outage, they give
 * three notices where stock would have seen one.
 *
 * <p><b>What is done here.</b> If several attempts run at once, as many notices pass as the most
 * vocal one gave. Stock would have seen the same number if the task had had only that attempt.
 * Notices of ended attempts still count: a new attempt starts at their highest count.
 *
 * <p>Notices about a map attempt that has no output any more are dropped. A reduce may have waited
 * for minutes before it gave up, and the output has been made again meanwhile. JobImpl would count
 * them from the beginning, and Hadoop's attempt would ignore what comes of it.
 *
 * <p><b>Why nothing is lost.</b> An attempt that cannot fetch keeps giving notices, and each one
 * that its task has not given before passes. If only one attempt gives notices, all of them pass.
 * If attempts that follow one another each give one notice and fail, these add up as in stock.
 *
 * <p>Used on the dispatcher thread only. One entry is kept for each pair of a map attempt and a
 * reduce attempt that could not fetch from it, as long as the former counts as succeeded.
 */
public final class FetchNotices {
  /**
   * How many notices each attempt of a reduce has given about a map attempt, including those of its
   * predecessors.
   */
  private final Map<TaskAttemptId, Map<TaskId, Map<TaskAttemptId, Integer>>> given =
      new HashMap<>();

  private final Predicate<TaskAttemptId> hasOutput;
  private final Predicate<TaskAttemptId> hasEnded;

  /**
   * Creates the counts of one job.
   *
   * @param hasOutput tells which attempts of maps count as succeeded; it may be asked about some
   *     that do not exist, because the names come from tasks
   * @param hasEnded tells which attempts of reduces no longer run
   */
  public FetchNotices(Predicate<TaskAttemptId> hasOutput, Predicate<TaskAttemptId> hasEnded) {
    this.hasOutput = hasOutput;
    this.hasEnded = hasEnded;
  }

  /** Returns the maps of a notice that Hadoop should count; empty if it should count none. */
  public List<TaskAttemptId> counted(JobTaskAttemptFetchFailureEvent notice) {
    return notice.getMaps().stream()
        .filter(map -> hasOutput.test(map) && passes(map, notice.getReduce()))
        .toList();
  }

  /** Forgets the notices about a map attempt whose output is lost. */
  public void forget(TaskAttemptId map) {
    given.remove(map);
  }

  private boolean passes(TaskAttemptId map, TaskAttemptId reduce) {
    Map<TaskAttemptId, Integer> ofTask =
        given
            .computeIfAbsent(map, attempt -> new HashMap<>())
            .computeIfAbsent(reduce.getTaskId(), task -> new HashMap<>());
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
