// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells how likely it is that an attempt of a phase has stopped, from how long nothing was heard of
 * it, and from what was heard of others meanwhile. The answer is one number, used wherever it
 * matters: for t_rem, for the choice between a kill and a copy, and for stalls of a whole phase.
 *
 * <pre>
 *   P(stopped | silent for s) = l / (l + S(s))
 * </pre>
 *
 * <p>S is the probability that an attempt that is well is silent for so long. For one that was
 * never heard of, it is that of the times that attempts of the job took from their launch to their
 * first report. For one that has reported, silence is measured in report intervals. l is the chance
 * that an attempt stops. It is much greater if another attempt on the machine, which was heard of
 * before, has stopped, and none there is heard of: then the machine is likely to have stopped.
 *
 * <p>If others are silent as well, the cause may be one that they share: the file system, the
 * network, a pause of the AppMaster, or, where they start, that many start at once. Then silence is
 * evidence only once it is several times as long. On at least {@value #MACHINES} machines that is a
 * <em>stall</em> of the phase: a new attempt would be held up too. After it, an attempt is measured
 * anew, once it has settled. What held up all attempts says nothing about the pace of one; neither
 * does work that was done while only the reports were missing. The length of a stall is measured
 * from pass to pass and not by the reports, because an AppMaster that was paused for a minute has
 * seen nothing of that minute. The first report after a stall reveals it too, and may come before
 * the next pass. That report may have been sent before the pause, with the progress up to then.
 *
 * <p>No paper has this. In Mantri section 5.5, t_rem only grows with the silence, and what was
 * never heard of has no t_rem.
 */
public final class Liveness {
  /** That many machines do not stop at the same time by chance. */
  static final int MACHINES = 3;

  /** l: about one attempt in a hundred never ends by itself, in the traces of Mantri and Dolly. */
  private static final double STOPS = 0.01;

  /** l on a machine where another attempt has stopped. */
  private static final double STOPS_THERE_TOO = 0.3;

  /** By how much a pause that many share is longer than the silence of one. */
  private static final double PAUSE = 3;

  private final PhaseModel phase;
  private final List<Machine> machines = new ArrayList<>();

  /** Attempts that run and were never heard of. */
  private final Set<AttemptModel> starting = new HashSet<>();

  private long reports;
  private long changes;
  private double[] launches = new double[0];
  private long changesThen = -1;
  private double since = Double.NaN;
  private double seenAt = Double.NaN;
  private double heardAt = Double.NaN;

  Liveness(PhaseModel phase) {
    this.phase = phase;
  }

  /** The attempts that run on a machine, and what was found out about it last. */
  private static final class Machine {
    private final List<AttemptModel> running = new ArrayList<>(2);
    private double lookedAt = Double.NaN;
    private long changesThen;
    private boolean hasStopped;
  }

  // --- what happens

  void launched(AttemptModel attempt) {
    changes++;
    starting.add(attempt);
    if (attempt.machineNumber() >= 0) {
      while (machines.size() <= attempt.machineNumber()) {
        machines.add(new Machine());
      }
      machines.get(attempt.machineNumber()).running.add(attempt);
    }
  }

  void ended(AttemptModel attempt) {
    changes++;
    starting.remove(attempt);
    if (attempt.machineNumber() >= 0) {
      machines.get(attempt.machineNumber()).running.remove(attempt);
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
    changes++;
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
    double stops = hasMachineStopped(attempt, now) ? STOPS_THERE_TOO : STOPS;
    return stops / (stops + alive);
  }

  /** Returns whether an attempt has stopped, more likely than not. */
  public boolean hasStopped(AttemptModel attempt, double now) {
    return stopped(attempt, now) > 0.5;
  }

  /**
   * Returns the seconds until an attempt works that was never heard of: as much as the others that
   * took so long needed on average; or, if it has stopped, as long again, and a new start. The work
   * that attempts have done before they are heard of is not counted.
   */
  public double untilHeardOf(AttemptModel attempt, double now) {
    double age = age(attempt, now);
    double stopped = stopped(attempt, now);
    double start = stopped * (age + starts().mean()) + (1 - stopped) * starts().residual(age);
    return Math.max(0, start - phase.schedulingLag().headStart());
  }

  /** Returns how long attempts usually take until something is heard of them. */
  private LogNormal starts() {
    return areStartsHeardOf() ? phase.schedulingLag().starts() : phase.lateNews();
  }

  private boolean areStartsHeardOf() {
    return phase.schedulingLag().starts().count() > 0;
  }

  /** Returns for how long nothing was heard of an attempt; where only ends are, for its size. */
  private double age(AttemptModel attempt, double now) {
    double age = now - attempt.launchedAt();
    return areStartsHeardOf() ? age : age / phase.sizes().relative(attempt.task());
  }

  /** Returns S: the probability that an attempt is silent for as long though it is well. */
  private double silentThough(AttemptModel attempt, double now) {
    if (attempt.state() != AttemptState.RUNNING || attempt.silence(now) == 0) {
      return 1;
    }
    if (!attempt.isHeardOf()) {
      return startsSoLate(attempt, age(attempt, now));
    }
    boolean isDue = attempt.isPaced() && attempt.work() < 1;
    boolean mayWait = attempt.subPhase() == SubPhase.SHUFFLE && !phase.inputsAreReady();
    if (!isDue || mayWait) {
      return 1;
    }
    double intervals = (now - attempt.heardOfAt()) / phase.tick(attempt.subPhase());
    boolean alone = !attempt.pace().isUnknown() && areOthersHeardOf(attempt, intervals);
    return LogNormal.survivalOfRatio(alone ? intervals : intervals / PAUSE);
  }

  /**
   * Returns how rarely a start takes so long: by those seen and, up to several times as long, by
   * how many others of at least that age, on other machines, are not heard of either.
   */
  private double startsSoLate(AttemptModel attempt, double age) {
    LogNormal starts = starts();
    double byThoseSeen = starts.survival(age);
    if (byThoseSeen == 1) {
      return 1;
    }
    int late = older(attempt);
    double waiting = (double) late / (starts.count() + late);
    return Math.max(byThoseSeen, Math.min(waiting, starts.survival(age / PAUSE)));
  }

  /** Returns how many attempts that are not younger were never heard of, on other machines. */
  private int older(AttemptModel attempt) {
    if (changesThen != changes) {
      changesThen = changes;
      launches = starting.stream().mapToDouble(AttemptModel::launchedAt).sorted().toArray();
    }
    double next = Math.nextUp(attempt.launchedAt());
    int older = SortedArrays.firstNotBelow(launches, 0, launches.length, next) - 1; // not itself
    if (attempt.machineNumber() >= 0) {
      for (AttemptModel beside : machines.get(attempt.machineNumber()).running) {
        boolean counted = starting.contains(beside) && beside.launchedAt() < next;
        older -= counted && beside != attempt ? 1 : 0;
      }
    }
    return older;
  }

  /**
   * Returns whether an attempt's machine seems to have stopped: an attempt there that was heard of
   * is silent for as long as hardly any, and none is heard of now. Others that start say nothing:
   * they are late together because they are in each other's way.
   */
  private boolean hasMachineStopped(AttemptModel attempt, double now) {
    if (attempt.machineNumber() < 0) {
      return false;
    }
    Machine machine = machines.get(attempt.machineNumber());
    if (machine.lookedAt != now || machine.changesThen != changes) {
      machine.lookedAt = now;
      machine.changesThen = changes;
      machine.hasStopped = false;
      for (AttemptModel there : machine.running) {
        boolean counts = there.isHeardOf() && !there.task().isDone();
        if (counts && there.silence(now) == 0) {
          machine.hasStopped = false;
          break;
        }
        machine.hasStopped |= counts && silentThough(there, now) < STOPS;
      }
    }
    return machine.hasStopped;
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
