// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.model.TaskKind;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Limits how many attempts of a task are live at once, so that they cannot use up the failures that
 * the job allows the task.
 *
 * <p>Hadoop fails a task at its {@code mapreduce.{map,reduce}.maxattempts}-th failed attempt (4 by
 * default), whether the attempts ran one after another or at once. Attempts that run at once meet
 * the same outage together: three clones and an unreachable database are three failures in one
 * second. So at most half of the allowed failures may be at stake at a time: one attempt if up to 3
 * failures are allowed, two if 4 are.
 *
 * <p>Copies are different if the AppMaster excuses failures ({@link SecondAttempts}). Hadoop copies
 * a slow task even if few failures are allowed, and each one counts. In such an AppMaster the
 * failure of a copy does not count, unless the copy is the task's last attempt or the user fails
 * it. So a task may always have one copy; otherwise the job would be slower than under Hadoop.
 *
 * <p>A restart ends an attempt that might have succeeded, and everything then depends on the next
 * one. So a task that may fail only once is never restarted. Neither is a map whose attempts may
 * not have any number, as a restart uses up one ({@link ShuffleService#UNIFFLE}); copies alone need
 * no more than Hadoop's speculation.
 *
 * @param maxMapAttempts the failures that end a map task, at least 1
 * @param maxReduceAttempts the failures that end a reduce task, at least 1
 * @param excuses whether the AppMaster excuses failures; Hadoop's does not
 * @param mapsRestart whether attempts of maps may have any number
 */
public record AttemptBudget(
    int maxMapAttempts, int maxReduceAttempts, boolean excuses, boolean mapsRestart) {
  /** The default in mapred-default.xml and in Hadoop's MapTaskImpl and ReduceTaskImpl. */
  private static final int DEFAULT_MAX_ATTEMPTS = 4;

  /**
   * Returns the budget of the job with this configuration.
   *
   * @param excuses whether the AppMaster excuses failures
   */
  public static AttemptBudget of(Configuration conf, boolean excuses) {
    return new AttemptBudget(
        conf.getInt(MRJobConfig.MAP_MAX_ATTEMPTS, DEFAULT_MAX_ATTEMPTS),
        conf.getInt(MRJobConfig.REDUCE_MAX_ATTEMPTS, DEFAULT_MAX_ATTEMPTS),
        excuses,
        ShuffleService.of(conf).map(ShuffleService::allowsAnyNumber).orElse(true));
  }

  /** Returns whether a task of a kind may be killed so that its next attempt is faster. */
  public boolean allowsRestart(TaskKind kind) {
    return failures(kind) > 1 && (mapsRestart || kind != TaskKind.MAP);
  }

  /**
   * Returns how many attempts of a task of a kind may be live at once, copies included.
   *
   * @param setting what Drover's own setting allows
   * @return at least 1
   */
  public int mostWithCopies(TaskKind kind, int setting) {
    int most = mostAtOnce(kind);
    return Math.min(setting, excuses ? Math.max(2, most) : most);
  }

  /**
   * Returns how many attempts of a task of a kind may start together.
   *
   * @param setting what Drover's own setting allows
   * @return at least 1
   */
  public int mostAtOnce(TaskKind kind, int setting) {
    return Math.min(setting, mostAtOnce(kind));
  }

  /** Returns how many attempts of a task of a kind may start together, at least 1. */
  public int mostAtOnce(TaskKind kind) {
    return Math.max(1, failures(kind) / 2);
  }

  /** Returns the failures that end a task of a kind, at least 1. */
  public int failures(TaskKind kind) {
    return kind == TaskKind.MAP ? maxMapAttempts : maxReduceAttempts;
  }
}
