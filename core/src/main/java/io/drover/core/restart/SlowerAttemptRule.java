// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import io.drover.core.estimate.RemainingTimeEstimator;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.Decision;
import io.drover.core.model.Demand;
import io.drover.core.model.Evidence;
import io.drover.core.model.Evidence.Basis;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.Rule;
import io.drover.core.model.SubPhase;
import io.drover.core.model.TaskModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ends attempts of a task that are slower than another one of it:
 *
 * <pre>
 *   t_rem &gt; k min t_rem(others)
 * </pre>
 *
 * <p>This departs from Mantri, which keeps the two fastest ({@link PruningRule}), and from Dolly,
 * whose clones all run until the first is done (section 3.1). A task gets a second attempt because
 * nobody knows beforehand which one will be slow. Once both have been seen at work, it is known.
 * From then on the slower one only insures against what may still happen to the faster one. The
 * restart rules insure against that too, at no cost, but not if a task is alone in its phase
 * without others to compare with. An infinite k leaves everything to the papers' rules.
 *
 * <p>Only these other attempts count for the least t_rem:
 *
 * <ul>
 *   <li>those with at least the same claim to their container. For an attempt that is no clone,
 *       these are the other attempts that are no clones; for a clone, also the older clones. Clones
 *       may have to give way at any time, and a task must not be left with only clones;
 *   <li>those that have reached the main part of their work, where their own pace shows;
 *   <li>those whose reports mean something ({@link PhaseModel#isMisleading});
 *   <li>those that report. A silent one may be on a machine that has just died;
 *   <li>those that have done at least as much, or soon will if the other one has stopped ({@link
 *       Lead}).
 * </ul>
 *
 * <p>It asks not for how long an attempt has run ({@link RestartSettings#leastRunSeconds}). That
 * setting keeps short tasks from costing containers for second attempts. Here there are two already
 * and one goes on, so no task is started again, and to wait would cost more of what is to be saved.
 *
 * <p>It ends no attempt of a task that commits, none whose t_rem is not known or rests on that of
 * others alone, and none in favour of an attempt that is expected to be done now, because nothing
 * is left to save.
 */
public final class SlowerAttemptRule implements RestartPolicy {
  private final double factor;
  private final RemainingTimeEstimator remaining = new RemainingTimeEstimator();

  /**
   * Creates the rule.
   *
   * @param factor k, at least 1
   */
  public SlowerAttemptRule(double factor) {
    if (!(factor >= 1)) {
      throw new IllegalArgumentException("the factor must be at least 1, was " + factor);
    }
    this.factor = factor;
  }

  /** Returns the attempts to end. */
  @Override
  public List<Decision> decide(PhaseModel phase, Demand demand, double now) {
    List<Decision> decisions = new ArrayList<>();
    for (TaskModel task : phase.running()) {
      if (task.runningCopies() > 1 && !task.isCommitting()) {
        compare(task, demand, now, decisions);
      }
    }
    return decisions;
  }

  /** Compares the attempts of a task, which are in the order of their age. */
  private void compare(TaskModel task, Demand demand, double now, List<Decision> decisions) {
    for (AttemptModel attempt : task.attempts()) {
      double seconds = remaining.seconds(attempt, now); // NaN if it does not run
      boolean hasStopped = seconds == Double.POSITIVE_INFINITY;
      boolean isKnown = hasStopped || remaining.basis(attempt) != Basis.PEERS;
      double best = isKnown ? leastOfOthers(attempt, hasStopped, now) : 0;
      if (best > 0 && seconds > factor * best) { // times 0, any would be exceeded
        Evidence evidence =
            Evidence.ofSlower(attempt, demand.tasksWait(), seconds, remaining.basis(attempt), best);
        decisions.add(new Decision(now, task, Optional.of(attempt), Rule.SLOWER_ATTEMPT, evidence));
      }
    }
  }

  /** Returns the least t_rem of those other attempts that count; infinite if there is none. */
  private double leastOfOthers(AttemptModel attempt, boolean hasStopped, double now) {
    TaskModel task = attempt.task();
    double least = Double.POSITIVE_INFINITY;
    boolean isOlder = true;
    for (AttemptModel other : task.attempts()) {
      isOlder &= other != attempt;
      boolean hasClaim = !task.isClone(other) || (task.isClone(attempt) && isOlder);
      if (other != attempt && hasClaim && Lead.isLost(attempt, hasStopped, other, now)) {
        double seconds = remaining.seconds(other, now);
        boolean counts = isSeenAtWork(other) && other.silence(now) == 0;
        least = counts && seconds < least ? seconds : least;
      }
    }
    return least;
  }

  private static boolean isSeenAtWork(AttemptModel attempt) {
    boolean isMain = attempt.subPhase() == SubPhase.WRAP_UP || attempt.isAtMainWork();
    return isMain && attempt.isHeardOf() && !attempt.task().phase().isMisleading(attempt);
  }
}
