// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Detects that a phase stands still as a whole: at least half of its attempts whose pace can be
 * measured have stopped at the same time, on at least {@value #MACHINES} machines. An outlier is
 * slower than its peers. What stops most of them at once is something that they share: a file
 * system that fails over, the network, or a pause of the AppMaster, which then misses everyone's
 * reports. A new attempt would be held up too.
 *
 * <p>Afterwards an attempt is measured anew, once it has settled. What held up all attempts says
 * nothing about the pace of one. Neither does work that was done while only the reports were
 * missing.
 *
 * <p>No paper has this rule. With Mantri's t_rem (section 5.5) every task of every job would be
 * duplicated.
 *
 * <p>The length of a stall is measured from pass to pass and not by the reports, because an
 * AppMaster that was paused for a minute has seen nothing of that minute. The first report after a
 * stall reveals it too, and may come before the next pass. That report may have been sent before
 * the pause, with the progress up to then.
 */
public final class CorrelatedStall {
  /** That many machines do not stop at the same time by chance. */
  static final int MACHINES = 3;

  private final PhaseModel phase;
  private double since = Double.NaN;
  private double seenAt = Double.NaN;
  private double heardAt = Double.NaN;

  CorrelatedStall(PhaseModel phase) {
    this.phase = phase;
  }

  /**
   * Returns for how long the callers have seen the stall. A gap between two calls that is longer
   * than the moving average restarts the count. Takes time in proportion to the running attempts.
   *
   * @return seconds, 0 when the stall is first seen; NaN if the phase does not stand still
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
   * Returns whether an attempt has made no progress since a stall that ended at most one moving
   * average ago. Not all attempts that were held up continue at the same moment.
   */
  public boolean wasJustNow(AttemptModel attempt, double now) {
    return attempt.progressedAt() < seenAt && now - seenAt <= phase.windowSeconds();
  }

  /**
   * Notes that a report of an attempt has come, before the attempt takes it in. O(1), except for
   * the first report after all attempts were silent.
   */
  void onReport(AttemptModel attempt, double now) {
    if (now - heardAt > attempt.patience()) {
      look(now);
    }
    heardAt = now;
  }

  /** Returns whether the last progress came in a stall, or too soon after it to show a pace. */
  boolean unsettled(AttemptModel attempt) {
    return attempt.progressedAt() < seenAt + attempt.patience();
  }

  /**
   * Returns whether an attempt is known to make progress: its next progress is not overdue. Returns
   * false for one that merges, wraps up or never reported: it may be held up too.
   */
  public static boolean isSeenToGetOn(AttemptModel attempt, double now) {
    return isMeasured(attempt) && !isOverdue(attempt, now);
  }

  private static boolean isOverdue(AttemptModel attempt, double now) {
    return now - attempt.progressedAt() > attempt.patience();
  }

  /**
   * Returns whether an attempt should show progress: it runs, has work left, and is in a sub-phase
   * whose progress is reported.
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
