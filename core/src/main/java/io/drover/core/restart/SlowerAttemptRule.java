// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import io.drover.core.estimate.RemainingTimeEstimator;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.Decision;
import io.drover.core.model.Demand;
import io.drover.core.model.Evidence;
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
 * <p>Departure from Mantri, which keeps the two fastest ({@link PruningRule}), and from Dolly,
 * whose clones all run until the first of them is done (section 3.1). An attempt is given a second
 * one since nobody knows beforehand which of them will be slow. Once both have been seen at work it
 * is known well, and what the slower one takes from then on insures against what may yet befall the
 * faster one. The restart rules do so too, for nothing; but not where a task is alone in its phase,
 * with nothing to be compared with. An infinite k leaves all to the papers' rules.
 *
 * <p>The others, of which the least t_rem counts, are those
 *
 * <ul>
 *   <li>that have no less of a claim to their container: of an attempt that is no clone, those that
 *       are none; of a clone these, too, and older clones. For clones can be told to give way at
 *       any time, and a task is not to be left with clones alone;
 *   <li>that have come to the main part of their work, where their own pace tells;
 *   <li>that are heard of: a silent one may sit on a machine that has just died.
 * </ul>
 *
 * <p>It ends nothing of a task that commits, nothing of which t_rem is not known, and nothing for
 * one that is expected to be done now: there is nothing left to save.
 */
public final class SlowerAttemptRule implements RestartPolicy {
  private final double factor;
  private final RemainingTimeEstimator remaining = new RemainingTimeEstimator();

  /**
   * The rule for a given factor.
   *
   * @param factor k, at least 1
   */
  public SlowerAttemptRule(double factor) {
    if (!(factor >= 1)) {
      throw new IllegalArgumentException("the factor must be at least 1, was " + factor);
    }
    this.factor = factor;
  }

  /** The attempts to end; unlike other policies it says nothing of tasks it leaves alone. */
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

  /** The attempts of a task are in the order of their age. */
  private void compare(TaskModel task, Demand demand, double now, List<Decision> decisions) {
    double ordinary = Double.POSITIVE_INFINITY;
    for (AttemptModel attempt : task.attempts()) {
      ordinary = task.isClone(attempt) ? ordinary : lesser(ordinary, attempt, now);
    }
    double orOlder = ordinary;
    for (AttemptModel attempt : task.attempts()) {
      boolean isClone = task.isClone(attempt);
      double best = isClone ? orOlder : ordinary;
      double seconds = remaining.seconds(attempt, now); // NaN of what does not run, too
      if (best > 0 && seconds > factor * best) { // 0 times any factor would be less than anything
        decisions.add(decision(task, attempt, seconds, best, demand, now));
      }
      orOlder = isClone ? lesser(orOlder, attempt, now) : orOlder;
    }
  }

  /** The least t_rem so far, or an attempt's, if that is less and says enough. */
  private double lesser(double least, AttemptModel attempt, double now) {
    double seconds = remaining.seconds(attempt, now);
    return seconds < least && isSeenAtWork(attempt) && attempt.silence(now) == 0 ? seconds : least;
  }

  private static boolean isSeenAtWork(AttemptModel attempt) {
    SubPhase at = attempt.subPhase();
    return at == SubPhase.WRAP_UP || at == attempt.task().phase().kind().main();
  }

  private Decision decision(
      TaskModel task, AttemptModel slower, double seconds, double best, Demand demand, double now) {
    Evidence evidence =
        new Evidence(
            task,
            demand.tasksWait(),
            slower.work(),
            seconds,
            remaining.basis(slower),
            Double.NaN,
            Double.NaN,
            best,
            task.copies());
    return new Decision(now, task, Optional.of(slower), Rule.SLOWER_ATTEMPT, evidence);
  }
}
