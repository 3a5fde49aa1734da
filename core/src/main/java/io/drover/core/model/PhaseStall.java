// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Tells whether a phase stands still as a whole: at least half of its attempts have stopped at the
 * same time, on at least {@value #MACHINES} machines. A new attempt would be held up too.
 *
 * <p>After a stall, an attempt is measured anew, once it has settled. What held up all attempts
 * says nothing about the pace of one; neither does work that was done while only the reports were
 * missing. The length of a stall is measured from pass to pass and not by the reports, because an
 * AppMaster that was paused for a minute has seen nothing of that minute. The first report after a
 * stall reveals it too, and may come before the next pass. That report may have been sent before
 * the pause, with the progress up to then.
 */
public final class PhaseStall {
  /** That many machines do not stop, or become slow, at the same time by chance. */
  public static final int MACHINES = 3;

  private final PhaseModel phase;
  private double lookedAt = Double.NaN;
  private long changesThen;
  private double since = Double.NaN;
  private double seenAt = Double.NaN;

  PhaseStall(PhaseModel phase) {
    this.phase = phase;
  }

  /**
   * Returns whether an attempt is known to make progress: its next progress is not overdue. Returns
   * false for one that merges, wraps up or never reported: it may be held up too.
   */
  public static boolean isSeenToGetOn(AttemptModel attempt, double now) {
    return isMeasured(attempt) && !isOverdue(attempt, now);
  }

  /**
   * Returns for how long the callers have seen the phase stand still: at least half of its attempts
   * whose pace can be measured stopped at the same time. A gap between two calls that is longer
   * than the moving average restarts the count. Takes time in proportion to the running attempts.
   *
   * @return seconds, 0 when the stall is first seen; NaN if the phase does not stand still
   */
  public double stalledFor(double now) {
    look(now);
    return now - since;
  }

  /** Looks again only if time has passed or something has happened since the last look. */
  void look(double now) {
    long changes = phase.liveness().changes();
    if (now == lookedAt && changes == changesThen) {
      return;
    }
    lookedAt = now;
    changesThen = changes;
    if (!isStallSeen(now)) {
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
  public boolean wasStalledJustNow(AttemptModel attempt, double now) {
    return attempt.pace().progressedAt() < seenAt && now - seenAt <= phase.windowSeconds();
  }

  /** Returns whether the last progress came in a stall, or too soon after it to show a pace. */
  boolean isUnsettled(AttemptModel attempt) {
    return attempt.pace().progressedAt() < seenAt + attempt.patience();
  }

  private static boolean isOverdue(AttemptModel attempt, double now) {
    return now - attempt.pace().progressedAt() > attempt.patience();
  }

  /** Returns whether an attempt runs, has work left, and should show progress. */
  private static boolean isMeasured(AttemptModel attempt) {
    return attempt.state() == AttemptState.RUNNING
        && !Double.isNaN(attempt.pace().progressedAt())
        && attempt.pace().owesProgress();
  }

  private boolean isStallSeen(double now) {
    int measured = 0;
    double last = Double.NEGATIVE_INFINITY;
    List<AttemptModel> stopped = new ArrayList<>();
    for (TaskModel task : phase.running()) {
      for (AttemptModel attempt : task.attempts()) {
        boolean counts = isMeasured(attempt);
        measured += counts ? 1 : 0;
        if (counts && isOverdue(attempt, now)) {
          stopped.add(attempt);
          last = Math.max(last, attempt.pace().progressedAt());
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
      if (then - attempt.pace().progressedAt() <= attempt.patience()) {
        together++;
        machines.set(Math.max(0, attempt.machineNumber()));
      }
    }
    return 2 * together >= measured && machines.cardinality() >= MACHINES;
  }
}
