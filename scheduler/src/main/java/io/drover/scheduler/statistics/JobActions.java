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
import java.util.function.ToDoubleFunction;
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
 * smaller than before, or larger than possible. What the ResourceManager itself knows is how long
 * the application's containers have run together. That counts {@value #MARGIN} times, because it is
 * told with a delay and estimates are not exact, and with {@link #SLACK_SECONDS} more:
 *
 * <ul>
 *   <li>Actions of a kind cannot have wasted more.
 *   <li>All but clones act on an attempt that runs or has run. So there is at most one a second.
 *       Clones are made before anything runs, and not all get a container. So only all containers
 *       that fit into the cluster, one a second since the application began, are a limit.
 *   <li>An action saves at most {@link TimeSaved#MOST} times as much as an attempt takes. One
 *       attempt takes no longer than the application has run, and all of them no longer than its
 *       containers.
 * </ul>
 *
 * <p>Within these bounds, a user can spoil the sums, which nobody decides by.
 *
 * <p>Any thread may call this, and none waits for long.
 */
final class JobActions {
  /** Clocks differ, and a job begins before its nodes are known here. */
  static final long SLACK_SECONDS = 600;

  /** How many times the run time of an application's containers counts. */
  static final int MARGIN = 2;

  private static final class Job {
    private final long startedAt;

    /** What an earlier ResourceManager has counted. Containers of that time may be unknown here. */
    private final Map<ActionKind, ActionTotals> before;

    private Map<ActionKind, ActionTotals> said;

    Job(long startedAt, Map<ActionKind, ActionTotals> before) {
      this.startedAt = startedAt;
      this.before = before;
      this.said = before;
    }
  }

  private final ToLongFunction<ApplicationAttemptId> startedAt;
  private final ToDoubleFunction<ApplicationAttemptId> ran;
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
   * @param ran returns how long all containers of an attempt's application ran together, seconds
   * @param containers returns how many containers fit into the cluster
   * @param now the clock of that time
   */
  JobActions(
      ToLongFunction<ApplicationAttemptId> startedAt,
      ToDoubleFunction<ApplicationAttemptId> ran,
      LongSupplier containers,
      LongSupplier now) {
    this.startedAt = startedAt;
    this.ran = ran;
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
    if (!isPossible(attempt, job, said)) {
      refused++;
      return;
    }
    for (Map.Entry<ActionKind, ActionTotals> entry : said.entrySet()) {
      ActionTotals before = of(entry.getKey(), job.said);
      sums.merge(entry.getKey(), entry.getValue().since(before), ActionTotals::plus);
    }
    job.said = said;
  }

  private boolean isPossible(
      ApplicationAttemptId attempt, Job job, Map<ActionKind, ActionTotals> said) {
    boolean isLater =
        said.keySet().containsAll(job.said.keySet())
            && said.entrySet().stream()
                .allMatch(entry -> entry.getValue().isLaterThan(of(entry.getKey(), job.said)));
    if (!isLater) {
      return false;
    }
    double seconds = Math.max(0, now.getAsLong() - job.startedAt) / 1e3 + SLACK_SECONDS;
    double most = MARGIN * ran.applyAsDouble(attempt) + SLACK_SECONDS;
    return said.entrySet().stream()
        .allMatch(
            entry -> {
              ActionKind kind = entry.getKey();
              ActionTotals here = entry.getValue().since(of(kind, job.before));
              double launched = kind == ActionKind.CLONE ? seconds * mostContainers : most;
              double tasks = Math.min(seconds * here.won(), most);
              return here.launched() <= launched
                  && here.wastedMillis() <= 1e3 * most
                  && here.savedMillis() <= 1e3 * TimeSaved.MOST * tasks;
            });
  }

  private static ActionTotals of(ActionKind kind, Map<ActionKind, ActionTotals> said) {
    return said.getOrDefault(kind, ActionTotals.NONE);
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
