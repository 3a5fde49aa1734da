// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells how likely it is that an attempt of a phase has stopped, from how long nothing was heard of
 * it, and from what was heard of others meanwhile. The answer is one number, used wherever it
 * matters: for t_rem, for the choice between a kill and a copy, and for stalls of a whole phase.
 *
 * <pre>
 *   odds(stopped | silent for s) = (l + m / product over the machine's others of (S + l)) / S(s)
 * </pre>
 *
 * <p>S is the probability that an attempt that is well is silent for so long. For one that was
 * never heard of, it is that of the times that attempts of the job took from their launch to their
 * first report; but if others of that age, on other machines, are not heard of either, it is at
 * least their share. For one that has reported, silence is measured in report intervals. l is the
 * chance that an attempt stops, and m that a machine does, which explains the silence of all
 * attempts there at once; without it, each of them has stopped by itself or is silent though it is
 * well. If one of them is heard of, the machine has not stopped.
 *
 * <p>If most others are silent as well, the cause may be one that they share: the file system, the
 * network, or a pause of the AppMaster. Then silence is evidence only once it is several times as
 * long. On at least {@value #MACHINES} machines that is a <em>stall</em> of the phase: a new
 * attempt would be held up too. After it, an attempt is measured anew, once it has settled. What
 * held up all attempts says nothing about the pace of one; neither does work that was done while
 * only the reports were missing. The length of a stall is measured from pass to pass and not by the
 * reports, because an AppMaster that was paused for a minute has seen nothing of that minute. The
 * first report after a stall reveals it too, and may come before the next pass. That report may
 * have been sent before the pause, with the progress up to then.
 *
 * <p>No paper has this. In Mantri section 5.5, t_rem only grows with the silence, and what was
 * never heard of has no t_rem.
 */
public final class Liveness {
  /** That many machines do not stop at the same time by chance. */
  static final int MACHINES = 3;

  /** l: about one attempt in a hundred never ends by itself, in the traces of Mantri and Dolly. */
  private static final double ATTEMPT_STOPS = 0.008;

  /** m: a machine has tens of attempts before one stops because of it. */
  private static final double MACHINE_STOPS = 0.002;

  /** How many report intervals a pause takes that holds up the AppMaster or the network. */
  private static final double PAUSE = 3;

  private final PhaseModel phase;
  private final List<List<AttemptModel>> onMachine = new ArrayList<>();

  /** Attempts that run and were never heard of, in the order of their launches. */
  private final Set<AttemptModel> starting = new LinkedHashSet<>();

  private long reports;
  private double since = Double.NaN;
  private double seenAt = Double.NaN;
  private double heardAt = Double.NaN;

  Liveness(PhaseModel phase) {
    this.phase = phase;
  }

  // --- what happens

  void launched(AttemptModel attempt) {
    starting.add(attempt);
    if (attempt.machineNumber() >= 0) {
      while (onMachine.size() <= attempt.machineNumber()) {
        onMachine.add(new ArrayList<>(2));
      }
      onMachine.get(attempt.machineNumber()).add(attempt);
    }
  }

  void ended(AttemptModel attempt) {
    starting.remove(attempt);
    if (attempt.machineNumber() >= 0) {
      onMachine.get(attempt.machineNumber()).remove(attempt);
    }
  }

  /**
   * Notes that a report of an attempt has come, before the attempt takes it in. O(1), except for
   * the first report after all attempts were silent.
   *
   * @return how many reports the phase has received
   */
  long onReport(AttemptModel attempt, double now) {
    if (now - heardAt > attempt.patience()) {
      look(now);
    }
    heardAt = now;
    if (Double.isNaN(attempt.lastReportAt())) {
      starting.remove(attempt);
    }
    return ++reports;
  }

  // --- one attempt

  /**
   * Returns the probability that an attempt has stopped: 0 while its next report is not overdue,
   * and in a sub-phase of which nothing has to be heard.
   */
  public double stopped(AttemptModel attempt, double now) {
    double alive = silentThough(attempt, now);
    if (alive == 1) {
      return 0;
    }
    double odds = (ATTEMPT_STOPS + MACHINE_STOPS * machineEvidence(attempt, now)) / alive;
    return Double.isInfinite(odds) ? 1 : odds / (1 + odds);
  }

  /**
   * Returns the seconds until an attempt works that was never heard of: as much as the others that
   * took so long needed on average; or, if it has stopped, as long again, and a new start.
   */
  public double untilHeardOf(AttemptModel attempt, double now) {
    LogNormal starts = phase.schedulingLag().starts();
    double age = now - attempt.launchedAt();
    double stopped = stopped(attempt, now);
    return stopped * (age + starts.mean()) + (1 - stopped) * starts.residual(age);
  }

  /** Returns whether an attempt has stopped, more likely than not. */
  public boolean hasStopped(AttemptModel attempt, double now) {
    return stopped(attempt, now) > 0.5;
  }

  /** Returns S: the probability that an attempt is silent for as long though it is well. */
  private double silentThough(AttemptModel attempt, double now) {
    if (attempt.state() != AttemptState.RUNNING || attempt.silence(now) == 0) {
      return 1;
    }
    if (!attempt.isHeardOf()) {
      LogNormal starts = phase.schedulingLag().starts();
      double age = now - attempt.launchedAt();
      return Math.max(starts.survival(age), othersLate(attempt, starts));
    }
    if (!attempt.isPaced() || attempt.work() >= 1 || !phase.inputsAreReady()) {
      return 1;
    }
    double intervals = (now - attempt.heardOfAt()) / phase.tick(attempt.subPhase());
    boolean alone = !attempt.pace().isUnknown() && areOthersHeardOf(attempt, intervals);
    return LogNormal.survivalOfRatio(alone ? intervals : intervals / PAUSE);
  }

  /**
   * Returns the share of attempts that are not heard of at that age, without those beside it. Stops
   * counting when the share says enough.
   */
  private double othersLate(AttemptModel attempt, LogNormal starts) {
    int late = 0;
    for (AttemptModel other : starting) {
      if (other.launchedAt() > attempt.launchedAt() || late > starts.count()) {
        break;
      }
      late += other.machineNumber() == attempt.machineNumber() ? 0 : 1;
    }
    return (double) late / Math.max(1, starts.count() + late);
  }

  /**
   * Returns by how much the silence of the others on the attempt's machine makes it likelier that
   * the machine has stopped; 0 if one of them is heard of. Others that start say nothing: they are
   * late together because they are in each other's way.
   */
  private double machineEvidence(AttemptModel attempt, double now) {
    if (attempt.machineNumber() < 0) {
      return 1;
    }
    double factor = 1;
    for (AttemptModel other : onMachine.get(attempt.machineNumber())) {
      if (other != attempt && other.isHeardOf()) {
        double alive = silentThough(other, now);
        factor = alive == 1 ? 0 : factor / (alive + ATTEMPT_STOPS);
      }
    }
    return factor;
  }

  /**
   * Returns whether at least half of the reports that were due from others since the attempt was
   * last heard of have come.
   */
  private boolean areOthersHeardOf(AttemptModel attempt, double intervals) {
    int others = phase.running().size() - 1;
    return others > 0 && reports - attempt.reportsThen() >= 0.5 * intervals * others;
  }

  // --- stalls of the whole phase

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

  private void look(double now) {
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
    boolean reported =
        attempt.state() == AttemptState.RUNNING && !Double.isNaN(attempt.pace().progressedAt());
    return reported && attempt.isPaced() && attempt.work() < 1;
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
