// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.statistics;

import io.drover.channel.Report;
import io.drover.core.action.ActionKind;
import io.drover.core.action.ActionTotals;
import io.drover.core.action.TimeSaved;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/**
 * Adds up what AppMasters report of Drover's actions. Every report contains the sums since its
 * application attempt began, so this adds the differences to those before. Nothing is lost if
 * reports are, and nothing counts twice if one comes twice.
 *
 * <ul>
 *   <li><em>A later attempt of an application</em> begins at zero, as its AppMaster counts only
 *       actions of its own.
 *   <li><em>After a failover</em> the sums of all jobs begin at zero, as metrics do when a process
 *       starts. If the first report of an attempt that arrives here is not its first one, an
 *       earlier ResourceManager has counted what it says. So only the difference to it counts from
 *       then on.
 * </ul>
 *
 * <p>An AppMaster is its user's program and may say anything. Its sums are not taken while they are
 * smaller than before, or larger than possible: all containers that fit into the cluster at the
 * same time, for as long as the application runs and {@link #SLACK_SECONDS}, are the most that it
 * can have launched (one a second), and the most time that it can have wasted. An action saves at
 * most {@link TimeSaved#MOST} times as much as an attempt takes, which is not longer than that
 * time. Within these bounds, a user can spoil the sums, which nobody decides by.
 *
 * <p>Any thread may call this, and none waits for long.
 */
final class JobActions {
  /** Clocks differ, and a job begins before its nodes are known here. */
  static final long SLACK_SECONDS = 600;

  private static final class Job {
    private final long startedAt;
    private Map<ActionKind, ActionTotals> said;

    Job(long startedAt, Map<ActionKind, ActionTotals> said) {
      this.startedAt = startedAt;
      this.said = said;
    }
  }

  private final ToLongFunction<ApplicationAttemptId> startedAt;
  private final LongSupplier containers;
  private final LongSupplier now;
  private final Map<ApplicationAttemptId, Job> jobs = new HashMap<>();
  private final Map<ActionKind, ActionTotals> sums = new EnumMap<>(ActionKind.class);
  private long mostContainers;
  private long refused;

  /**
   * Creates sums of nothing.
   *
   * @param startedAt returns when an attempt's application started, milliseconds
   * @param containers returns how many containers fit into the cluster
   * @param now the clock of that time
   */
  JobActions(
      ToLongFunction<ApplicationAttemptId> startedAt, LongSupplier containers, LongSupplier now) {
    this.startedAt = startedAt;
    this.containers = containers;
    this.now = now;
  }

  /** Takes in a report of a running attempt. */
  synchronized void onReport(ApplicationAttemptId attempt, Report report) {
    Map<ActionKind, ActionTotals> said = report.actions();
    Job job = jobs.get(attempt);
    if (job == null) {
      boolean isFirst = report.sequence() == 1;
      job = new Job(startedAt.applyAsLong(attempt), isFirst ? Map.of() : said);
      jobs.put(attempt, job);
    }
    if (said.equals(job.said)) {
      return;
    }
    mostContainers = Math.max(mostContainers, containers.getAsLong());
    if (mostContainers == 0) {
      return; // no node is known yet, so nothing can be judged; the sums come again
    }
    if (!isPossible(job, said)) {
      refused++;
      return;
    }
    for (Map.Entry<ActionKind, ActionTotals> entry : said.entrySet()) {
      ActionTotals before = job.said.getOrDefault(entry.getKey(), ActionTotals.NONE);
      sums.merge(entry.getKey(), entry.getValue().since(before), ActionTotals::plus);
    }
    job.said = said;
  }

  private boolean isPossible(Job job, Map<ActionKind, ActionTotals> said) {
    double seconds = Math.max(0, now.getAsLong() - job.startedAt) / 1e3 + SLACK_SECONDS;
    return said.keySet().containsAll(job.said.keySet())
        && said.entrySet().stream()
            .allMatch(
                entry ->
                    isPossible(entry.getValue(), seconds)
                        && entry
                            .getValue()
                            .isLaterThan(job.said.getOrDefault(entry.getKey(), ActionTotals.NONE)));
  }

  private boolean isPossible(ActionTotals said, double seconds) {
    double most = seconds * mostContainers;
    return said.launched() <= most
        && said.wastedMillis() <= 1e3 * most
        && said.savedMillis() <= 1e3 * TimeSaved.MOST * seconds * said.won();
  }

  /** Forgets attempts that have ended. What they came to stays in the sums. */
  synchronized void retain(Predicate<ApplicationAttemptId> runs) {
    jobs.keySet().removeIf(attempt -> !runs.test(attempt));
  }

  /** Returns what the actions of a kind have come to, in all jobs. */
  synchronized ActionTotals of(ActionKind kind) {
    return sums.getOrDefault(kind, ActionTotals.NONE);
  }

  /** Returns how many reports had sums that cannot be. */
  synchronized long refused() {
    return refused;
  }
}
