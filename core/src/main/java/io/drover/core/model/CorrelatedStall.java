// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Detects that a phase stands still as a whole: at least half of its attempts whose pace can be
 * measured have stopped at the same time, on at least {@value #MACHINES} machines. An outlier is
 * slower than its peers; what stops most of them at once is something that they share: the file
 * system that fails over, the network, a pause of the AppMaster, which then finds everybody's
 * reports missing. A new attempt would meet the same.
 *
 * <p>Who gets on again after it is measured anew, once it has settled: what held all says nothing
 * of the pace of one, and neither does what was done meanwhile by those who were only not heard.
 *
 * <p>No paper has this; Mantri's t_rem (section 5.5) would have every task of every job duplicated.
 *
 * <p>How long it lasts is measured from pass to pass and not by the reports: an AppMaster that was
 * paused for a minute has seen nothing of that minute. But that there was one is seen by the first
 * report after it as well, which may come before the next pass; it may have been on its way since
 * before the pause, and tell of the progress up to then.
 */
public final class CorrelatedStall {
  /** So many machines do not stop at the same time by themselves. */
  static final int MACHINES = 3;

  private final PhaseModel phase;
  private double since = Double.NaN;
  private double seenAt = Double.NaN;
  private double heardAt = Double.NaN;

  CorrelatedStall(PhaseModel phase) {
    this.phase = phase;
  }

  /**
   * For how long it has been seen, by those who have asked without a pause longer than the moving
   * average; takes time in proportion to the running attempts.
   *
   * @return seconds, 0 when it is first seen; NaN if the phase does not stand still
   */
  public double seconds(double now) {
    look(now);
    return now - since;
  }

  private void look(double now) {
    if (!isSeen(now)) {
      since = Double.NaN;
      return;
    }
    if (Double.isNaN(since) || now - seenAt > phase.windowSeconds()) {
      since = now;
    }
    seenAt = now;
  }

  /**
   * Whether an attempt has not got on since a standstill that is over, for no longer than the
   * moving average: not all who were held go on at the same moment.
   */
  public boolean wasJustNow(AttemptModel attempt, double now) {
    return attempt.progressedAt() < seenAt && now - seenAt <= phase.windowSeconds();
  }

  /**
   * A report of an attempt comes, and is not taken in yet. O(1), but for the first report after all
   * attempts have been silent.
   */
  void onReport(AttemptModel attempt, double now) {
    if (now - heardAt > attempt.patience()) {
      look(now);
    }
    heardAt = now;
  }

  /** Whether an attempt's last progress was made in it, or too soon after it to tell of a pace. */
  boolean unsettled(AttemptModel attempt) {
    return attempt.progressedAt() < seenAt + attempt.patience();
  }

  /**
   * Whether an attempt gets on, as far as is known: its next progress is not overdue. Of one that
   * merges or wraps up, or was never heard of, nothing is known: it may be held with the others.
   */
  public static boolean isSeenToGetOn(AttemptModel attempt, double now) {
    return isMeasured(attempt) && !isOverdue(attempt, now);
  }

  private static boolean isOverdue(AttemptModel attempt, double now) {
    return now - attempt.progressedAt() > attempt.patience();
  }

  /**
   * Whether an attempt should be seen to get on: it runs, is in a sub-phase whose progress is
   * reported, and has work left to do.
   */
  private static boolean isMeasured(AttemptModel attempt) {
    boolean reported =
        attempt.state() == AttemptState.RUNNING && !Double.isNaN(attempt.progressedAt());
    return reported && attempt.isPaced() && attempt.work() < 1;
  }

  private boolean isSeen(double now) {
    int measured = 0;
    double last = Double.NEGATIVE_INFINITY;
    List<AttemptModel> stopped = new ArrayList<>();
    for (TaskModel task : phase.running()) {
      for (AttemptModel attempt : task.attempts()) {
        boolean counts = isMeasured(attempt);
        measured += counts ? 1 : 0;
        if (counts && isOverdue(attempt, now)) {
          stopped.add(attempt);
          last = Math.max(last, attempt.progressedAt());
        }
      }
    }
    return haveMostStoppedThen(stopped, last, measured);
  }

  private static boolean haveMostStoppedThen(
      List<AttemptModel> stopped, double then, int measured) {
    int together = 0;
    BitSet machines = new BitSet();
    for (AttemptModel attempt : stopped) {
      if (then - attempt.progressedAt() <= attempt.patience()) {
        together++;
        machines.set(Math.max(0, attempt.machineNumber()));
      }
    }
    return 2 * together >= measured && machines.cardinality() >= MACHINES;
  }
}
