// SPDX-License-Identifier: Apache-2.0
package io.drover.core.estimate;

import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Evidence.Basis;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.SubPhase;
import java.util.List;
import java.util.Optional;

/**
 * Estimates t_rem, the seconds until a running attempt ends.
 *
 * <pre>
 *   t_rem = (1 - work) / rate  +  what the later sub-phases take,  the last of them t_wrapup
 * </pre>
 *
 * with work and rate in bytes of the task's d where d is known and in reported fraction otherwise.
 *
 * <p>Source: Mantri section 5.5, equation (2). Departures:
 *
 * <ul>
 *   <li>The printed {@code t_elapsed * d / d_read} is the total time; the remaining one is {@code
 *       t_elapsed * (d - d_read) / d_read}, and over a moving average {@code (d - d_read) / rate}.
 *   <li>From one progress to the next the attempt is taken to go on at its rate, so the estimate
 *       falls with the clock; once progress is overdue, none is assumed since, and it rises.
 *   <li>Reduces: each sub-phase by itself; a later sub-phase takes what it took others, in
 *       proportion to the data. A reduce that fetches while maps still run gets no estimate, since
 *       its pace is theirs.
 *   <li>A merge or a wrap-up gives no rate: it takes what it took others (of wrap-ups, the median:
 *       many that end at once take longer, which says nothing of the next); and once it has taken
 *       longer by x, it is expected to take x more, so that one that hangs is noticed. The wrap-up
 *       begins when all input is read, whether or not the attempt says that it is in one.
 *   <li>Before any attempt has wrapped up, t_wrapup counts as nothing here and in t_new alike.
 * </ul>
 */
public final class RemainingTimeEstimator {
  /**
   * The estimate for one attempt.
   *
   * @param now on the scale of the attempt's reports, seconds
   * @return empty where too little is known: it does not run, or has reported too little, or a
   *     later sub-phase has not been seen by anybody yet
   */
  public Optional<RemainingTime> estimate(AttemptModel attempt, double now) {
    double seconds = seconds(attempt, now);
    return Double.isNaN(seconds)
        ? Optional.empty()
        : Optional.of(new RemainingTime(seconds, basis(attempt)));
  }

  /** The seconds of {@link #estimate}, for callers with many attempts; NaN where it is empty. */
  public double seconds(AttemptModel attempt, double now) {
    if (attempt.state() != AttemptState.RUNNING) {
      return Double.NaN;
    }
    PhaseModel phase = attempt.task().phase();
    SubPhase present = attempt.subPhase();
    if (present == SubPhase.SHUFFLE && !phase.inputsAreReady()) {
      return Double.NaN;
    }
    if (present != SubPhase.WRAP_UP && attempt.work() >= 1) {
      return workDone(phase, attempt, now);
    }
    double here = attempt.isPaced() ? byRate(attempt, now) : byPeers(attempt, now);
    return here + later(phase, attempt);
  }

  /** What {@link #seconds} rests on, where it answers. */
  public Basis basis(AttemptModel attempt) {
    return attempt.isPaced() && attempt.work() < 1 ? attempt.basis() : Basis.PEERS;
  }

  private static double byRate(AttemptModel attempt, double now) {
    double rate = attempt.rateOrNaN(now);
    if (rate <= 0) {
      return Double.POSITIVE_INFINITY;
    }
    return Math.max(0, (1 - attempt.work()) / rate - attempt.sinceProgress(now));
  }

  /** All the work of its sub-phase is done, and yet the attempt is not heard to have gone on. */
  private static double workDone(PhaseModel phase, AttemptModel attempt, double now) {
    double spent = now - attempt.workDoneAt();
    double later = later(phase, attempt);
    boolean wrapsUp = attempt.subPhase() == phase.kind().main();
    return wrapsUp ? Math.abs(later - spent) : later + Math.max(0, spent);
  }

  private static double byPeers(AttemptModel attempt, double now) {
    PhaseModel phase = attempt.task().phase();
    double usual = phase.usualSecondsOrNaN(attempt.subPhase(), phase.size(attempt.task()));
    return Math.abs(usual - (now - attempt.subPhaseStartedAt()));
  }

  /** What the later sub-phases take; NaN if the main one is among them and nobody has seen it. */
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

  /**
   * An estimate of t_rem.
   *
   * @param seconds from now to the attempt's end, at least 0; infinite if it has stopped moving
   * @param basis what the estimate rests on
   */
  public record RemainingTime(double seconds, Basis basis) {}
}
