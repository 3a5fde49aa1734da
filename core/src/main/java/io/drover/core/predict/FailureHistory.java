// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How jobs of the same user, the same queue or the same program have ended. It is not in the
 * source. Shares are smoothed with the share among all jobs, which counts as much as one job, and
 * older jobs count less: half after {@value #MEMORY_DAYS} days, for the share "lately" half after
 * one. Shares enter as log-odds, numbers and times as logarithms.
 *
 * <p>At most {@value #MOST} names are remembered, those seen last.
 */
final class FailureHistory {
  /** The features of a name. */
  static final int FEATURES = 9;

  private static final int MEMORY_DAYS = 10;
  private static final int MOST = 50_000;
  private static final double DAY = 86_400;

  /** Seconds since the last failure of a name that has had none. */
  private static final double NEVER = 30 * DAY;

  private static final int LONGEST_STREAK = 20;

  private final Map<String, Past> names =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Past> eldest) {
          return size() > MOST;
        }
      };

  private final Past all = new Past();

  /** What is known of a name. */
  private static final class Past {
    double jobs;
    double failed;
    double killed;
    double jobsLately;
    double failedLately;
    double at;
    double failedAt = Double.NEGATIVE_INFINITY;
    JobOutcome last;
    int failedInARow;
    int running;

    /** Lets what is known age. Time that goes back is ignored. */
    void age(double now) {
      double days = (now - at) / DAY;
      if (days > 0) {
        double slow = Math.pow(0.5, days / MEMORY_DAYS);
        double fast = Math.pow(0.5, days);
        jobs *= slow;
        failed *= slow;
        killed *= slow;
        jobsLately *= fast;
        failedLately *= fast;
        at = now;
      }
    }

    void ended(JobOutcome outcome, double now, int standsFor) {
      age(now);
      boolean hasFailed = outcome == JobOutcome.FAILED;
      jobs += standsFor;
      jobsLately += standsFor;
      failed += hasFailed ? standsFor : 0;
      failedLately += hasFailed ? standsFor : 0;
      killed += outcome == JobOutcome.KILLED ? standsFor : 0;
      failedInARow = hasFailed ? Math.min(LONGEST_STREAK, failedInARow + 1) : 0;
      failedAt = hasFailed ? now : failedAt;
      last = outcome;
    }
  }

  private Past of(String name) {
    return names.computeIfAbsent(name, n -> new Past());
  }

  void submitted(String name) {
    of(name).running++;
  }

  /** Notes that a job has ended whose end tells nothing about it. */
  void left(String name) {
    Past past = of(name);
    past.running = Math.max(0, past.running - 1);
  }

  /**
   * Notes that a job has ended.
   *
   * @param standsFor the number of jobs that it stands for
   */
  void ended(String name, JobOutcome outcome, double now, int standsFor) {
    left(name);
    of(name).ended(outcome, now, standsFor);
  }

  /** Notes that a job has ended, once for all its names. */
  void ended(JobOutcome outcome, double now, int standsFor) {
    all.ended(outcome, now, standsFor);
  }

  /** Writes the features of a name, from a place on. */
  void write(String name, double now, double[] features, int from) {
    all.age(now);
    Past past = of(name);
    past.age(now);
    double failing = share(all.failed, all.jobs);
    double killing = share(all.killed, all.jobs);
    features[from] = logOdds((past.failed + failing) / (past.jobs + 1));
    features[from + 1] = logOdds((past.killed + killing) / (past.jobs + 1));
    features[from + 2] = logOdds((past.failedLately + failing) / (past.jobsLately + 1));
    features[from + 3] = Math.log1p(past.jobs);
    features[from + 4] = Math.log1p(Math.max(0, Math.min(NEVER, now - past.failedAt)));
    features[from + 5] = past.last == JobOutcome.FAILED ? 1 : 0;
    features[from + 6] = past.last == JobOutcome.KILLED ? 1 : 0;
    features[from + 7] = Math.log1p(past.running);
    features[from + 8] = past.failedInARow;
  }

  /** Returns a share that is neither 0 nor 1, however few jobs there were. */
  private static double share(double some, double all) {
    return (some + 0.5) / (all + 10);
  }

  private static double logOdds(double share) {
    double inside = Math.max(1e-6, Math.min(1 - 1e-6, share));
    return Math.log(inside / (1 - inside));
  }
}
