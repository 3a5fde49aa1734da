// SPDX-License-Identifier: Apache-2.0
package io.drover.core.estimate;

import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Evidence.Basis;
import io.drover.core.model.Liveness;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.SubPhase;
import java.util.List;

/**
 * Estimates t_rem, the seconds until a running attempt ends.
 *
 * <pre>
 *   t_rem = (1 - work) / rate  +  the durations of the later sub-phases, the last being t_wrapup
 * </pre>
 *
 * with work and rate in bytes of the task's d if d is known, and in reported fraction otherwise.
 *
 * <p>Source: Mantri section 5.5, equation (2). Departures:
 *
 * <ul>
 *   <li>The printed {@code t_elapsed * d / d_read} is the total time. The remaining time is {@code
 *       t_elapsed * (d - d_read) / d_read}, and with a moving average {@code (d - d_read) / rate}.
 *   <li>Until the next progress is due, the attempt is assumed to continue at its rate, so the
 *       estimate falls with the clock. When progress is overdue, no more is assumed, and it rises.
 *   <li>Each sub-phase of a reduce has its own estimate. A later sub-phase takes what it took
 *       others, in proportion to the data. A reduce that fetches while maps still run gets no
 *       estimate, because the maps set its pace.
 *   <li>An attempt that has stopped, more likely than not ({@link Liveness}), never ends. That is
 *       the median of an estimate that is uncertain between a stop and an end; the mean would
 *       depend on how long a stop is assumed to last.
 *   <li>An attempt that was never heard of has its whole work to do, as fast as its peers, or
 *       slower if others on its machine are ({@link Liveness#slowness}). Until it begins, it takes
 *       what is left of a usual start ({@link Liveness#untilHeardOf}).
 *   <li>A merge or a wrap-up has no rate. It takes what it took others (for wrap-ups the median:
 *       many that end at once take longer, which says nothing about the next one). When it is late
 *       by x, it is expected to take x more, so an attempt that hangs is noticed. The wrap-up
 *       begins when all input is read, whether or not the attempt reports it.
 *   <li>Until an attempt has wrapped up, t_wrapup counts as 0, both here and in t_new. Of one that
 *       wraps up before any other has succeeded, nothing is known for a while.
 *   <li>Where the progress that attempts report turned out to say nothing ({@link
 *       PhaseModel#isMisleading}), the work takes what it took peers, as a merge does.
 * </ul>
 */
public final class RemainingTimeEstimator {
  /**
   * A wrap-up that takes this many times as long as all before it is late, also if it is the first.
   */
  private static final double LONG_WRAP_UP = 3;

  /**
   * Returns the seconds until an attempt ends.
   *
   * @param now seconds, on the clock of the attempt's reports
   * @return at least 0, infinite if it makes no progress; NaN if too little is known: the attempt
   *     is not running or has reported too little, or the duration of a sub-phase that it has not
   *     finished is unknown
   */
  public double seconds(AttemptModel attempt, double now) {
    if (attempt.state() != AttemptState.RUNNING) {
      return Double.NaN;
    }
    PhaseModel phase = attempt.task().phase();
    if (phase.mayWait(attempt)) {
      return Double.NaN;
    }
    if (phase.liveness().isOnDeadMachine(attempt)) {
      return Double.POSITIVE_INFINITY;
    }
    if (attempt.subPhase() != SubPhase.WRAP_UP && attempt.work() >= 1) {
      return workDone(phase, attempt, now);
    }
    return here(attempt, now) + later(phase, attempt);
  }

  /**
   * Estimates a whole run, which begins as soon as the attempt is heard of, and takes as long as
   * its peers and its machine suggest.
   */
  private static double notHeardOf(AttemptModel attempt, double now) {
    PhaseModel phase = attempt.task().phase();
    Liveness liveness = phase.liveness();
    double usual = phase.usualSecondsOrNaN(attempt.subPhase(), phase.size(attempt.task()));
    double slowness = attempt.isAtMainWork() ? liveness.slowness(attempt, now) : 1;
    return liveness.untilHeardOf(attempt, now) + slowness * usual;
  }

  /** Returns what the result of {@link #seconds} rests on, if it has one. */
  public Basis basis(AttemptModel attempt) {
    boolean ownPace = attempt.isHeardOf() && attempt.isPaced() && attempt.work() < 1;
    boolean misleads = attempt.task().phase().isMisleading(attempt);
    return ownPace && !misleads ? attempt.basis() : Basis.PEERS;
  }

  /** Estimates the present sub-phase, of which some work is left. */
  private double here(AttemptModel attempt, double now) {
    if (attempt.task().phase().liveness().hasStopped(attempt, now)) {
      return Double.POSITIVE_INFINITY;
    }
    if (!attempt.isHeardOf()) {
      return notHeardOf(attempt, now);
    }
    if (basis(attempt) == Basis.PEERS) {
      return byPeers(attempt, now);
    }
    double rate = attempt.pace().rateOrNaN(now);
    if (rate <= 0) {
      return Double.POSITIVE_INFINITY;
    }
    return Math.max(0, (1 - attempt.work()) / rate - attempt.pace().sinceProgress(now));
  }

  /** Estimates an attempt that has done all work of its sub-phase but not reported the next one. */
  private static double workDone(PhaseModel phase, AttemptModel attempt, double now) {
    double doneAt = attempt.pace().workDoneAt();
    double spent = now - doneAt;
    double later = later(phase, attempt);
    boolean wrapsUp = attempt.isAtMainWork();
    boolean isSoon = spent <= LONG_WRAP_UP * (doneAt - attempt.launchedAt());
    if (wrapsUp && !phase.hasSucceeded() && isSoon) {
      return Double.NaN; // nobody knows how long that takes
    }
    return wrapsUp ? Math.abs(later - spent) : later + Math.max(0, spent);
  }

  private static double byPeers(AttemptModel attempt, double now) {
    PhaseModel phase = attempt.task().phase();
    double usual = phase.usualSecondsOrNaN(attempt.subPhase(), phase.size(attempt.task()));
    return Math.abs(usual - (now - attempt.subPhaseStartedAt()));
  }

  /** Returns the seconds of the later sub-phases; NaN if the main one is among them and unknown. */
  private static double later(PhaseModel phase, AttemptModel attempt) {
    double size = phase.size(attempt.task());
    double sum = 0;
    List<SubPhase> subPhases = phase.kind().subPhases();
    for (int i = subPhases.indexOf(attempt.subPhase()) + 1; i < subPhases.size(); i++) {
      SubPhase next = subPhases.get(i);
      double mean = phase.usualSecondsOrNaN(next, size);
      boolean countsAsNothing = Double.isNaN(mean) && next != phase.kind().main();
      sum += countsAsNothing ? 0 : mean;
    }
    return sum;
  }
}
