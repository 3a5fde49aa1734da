// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.BitSet;

/**
 * Whether a phase stands still as a whole: at least half of its attempts whose pace can be measured
 * have stopped at the same time, on at least {@value #MACHINES} machines. An outlier is slower than
 * its peers; what stops most of them at once is something that they share: the file system that
 * fails over, the network, a pause of the AppMaster, which then finds everybody's reports missing.
 * A new attempt would meet the same.
 *
 * <p>Who gets on again after it is measured anew: what held all says nothing of the pace of one.
 *
 * <p>No paper has this; Mantri's t_rem (section 5.5) would have every task of every job duplicated.
 *
 * <p>How long it lasts is measured from pass to pass and not by the reports: an AppMaster that was
 * paused for a minute has seen nothing of that minute.
 */
public final class Standstill {
  /** So many machines do not stop at the same time by themselves. */
  static final int MACHINES = 3;

  private final PhaseModel phase;
  private double since = Double.NaN;
  private double seenAt = Double.NaN;

  Standstill(PhaseModel phase) {
    this.phase = phase;
  }

  /**
   * For how long it has been seen, by those who have asked without a pause longer than the moving
   * average; takes time in proportion to the running attempts.
   *
   * @return seconds, 0 when it is first seen; NaN if the phase does not stand still
   */
  public double seconds(double now) {
    if (!isSeen(now)) {
      since = Double.NaN;
      return since;
    }
    if (Double.isNaN(since) || now - seenAt > phase.windowSeconds()) {
      since = now;
    }
    seenAt = now;
    return now - since;
  }

  /**
   * Whether an attempt has not got on since a standstill that is over, for no longer than the
   * moving average: not all who were held go on at the same moment.
   */
  public boolean wasJustNow(AttemptModel attempt, double now) {
    return attempt.progressedAt() < seenAt && now - seenAt <= phase.windowSeconds();
  }

  /** When it was seen for the last time, seconds; NaN before the first. */
  double seenAt() {
    return seenAt;
  }

  /**
   * Whether an attempt should have been seen to get on by now: it runs, is in a sub-phase whose
   * progress is reported, has work left to do, and its next progress is overdue.
   */
  public static boolean hasStopped(AttemptModel attempt, double now) {
    return isMeasured(attempt) && now - attempt.progressedAt() > attempt.patience();
  }

  private static boolean isMeasured(AttemptModel attempt) {
    boolean reported =
        attempt.state() == AttemptState.RUNNING && !Double.isNaN(attempt.progressedAt());
    return reported && attempt.isPaced() && attempt.work() < 1;
  }

  private boolean isSeen(double now) {
    double last = Double.NEGATIVE_INFINITY;
    for (TaskModel task : phase.running()) {
      for (AttemptModel attempt : task.attempts()) {
        last = hasStopped(attempt, now) ? Math.max(last, attempt.progressedAt()) : last;
      }
    }
    return last > Double.NEGATIVE_INFINITY && haveMostStoppedThen(last, now);
  }

  private boolean haveMostStoppedThen(double then, double now) {
    int measured = 0;
    int stopped = 0;
    BitSet machines = new BitSet();
    for (TaskModel task : phase.running()) {
      for (AttemptModel attempt : task.attempts()) {
        measured += isMeasured(attempt) ? 1 : 0;
        if (hasStopped(attempt, now) && then - attempt.progressedAt() <= attempt.patience()) {
          stopped++;
          machines.set(Math.max(0, attempt.machineNumber()));
        }
      }
    }
    return 2 * stopped >= measured && machines.cardinality() >= MACHINES;
  }
}
