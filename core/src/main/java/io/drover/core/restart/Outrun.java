// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import io.drover.core.estimate.RemainingTimeEstimator;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Decision;
import io.drover.core.model.Demand;
import io.drover.core.model.Evidence;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.Rule;
import io.drover.core.model.TaskModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ends clones that an older attempt of their task outruns:
 *
 * <pre>
 *   t_rem(clone) &gt; k min t_rem(older attempts)
 * </pre>
 *
 * <p>Departure from Dolly, whose clones all run until the first of them is done (section 3.1). A
 * clone is made since nobody knows beforehand which of the attempts will be slow. Once all of them
 * have reported, it is known well, and what the slower one takes from then on is an insurance
 * against what may yet befall the faster one: most of what clones cost. The restart rules insure
 * against the same, for nothing; but not where a task is alone in its phase. An infinite k leaves
 * clones alone, as Dolly does.
 *
 * <p>An older attempt is never ended, be it the slower one: in the end a clone that has nobody left
 * beside it would be its task's only attempt, and clones can be told to give way at any time.
 *
 * <p>It ends nothing of a task that commits, nor where t_rem is not known of both. And an older
 * attempt that is not heard of outruns nobody: it may sit on a machine that has just died.
 */
public final class Outrun implements RestartPolicy {
  private final double factor;
  private final RemainingTimeEstimator remaining = new RemainingTimeEstimator();

  /**
   * The rule for a given factor.
   *
   * @param factor k, at least 1
   */
  public Outrun(double factor) {
    if (!(factor >= 1)) {
      throw new IllegalArgumentException("the factor must be at least 1, was " + factor);
    }
    this.factor = factor;
  }

  /** The clones to end; unlike other policies it says nothing of tasks it leaves alone. */
  @Override
  public List<Decision> decide(PhaseModel phase, Demand demand, double now) {
    List<Decision> decisions = new ArrayList<>();
    for (TaskModel task : phase.running()) {
      if (task.runningCopies() > 1 && task.hasClones() && !task.isCommitting()) {
        compare(task, demand, now, decisions);
      }
    }
    return decisions;
  }

  /** The attempts of a task are in the order of their age. */
  private void compare(TaskModel task, Demand demand, double now, List<Decision> decisions) {
    double best = Double.POSITIVE_INFINITY;
    for (AttemptModel attempt : task.attempts()) {
      if (attempt.state() == AttemptState.RUNNING) {
        double seconds = remaining.seconds(attempt, now);
        if (task.isClone(attempt) && seconds > factor * best) {
          decisions.add(decision(task, attempt, seconds, best, demand, now));
        }
        boolean heardOf = attempt.silence(now) == 0;
        best = heardOf && seconds < best ? seconds : best; // NaN, what is not known, is not less
      }
    }
  }

  private Decision decision(
      TaskModel task, AttemptModel clone, double seconds, double older, Demand demand, double now) {
    Evidence evidence =
        new Evidence(
            task,
            demand.tasksWait(),
            clone.work(),
            seconds,
            remaining.basis(clone),
            Double.NaN,
            Double.NaN,
            older,
            task.copies());
    return new Decision(now, task, Optional.of(clone), Rule.OUTRUN, evidence);
  }
}
