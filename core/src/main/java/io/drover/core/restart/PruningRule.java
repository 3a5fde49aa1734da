// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import io.drover.core.estimate.RemainingTimeEstimator;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.core.model.Decision;
import io.drover.core.model.Demand;
import io.drover.core.model.Evidence;
import io.drover.core.model.Evidence.Basis;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.Rule;
import io.drover.core.model.TaskModel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Ends copies that no longer help. Of a task's running attempts it keeps the {@value #ALPHA} that
 * will end first, and the newest one. Any other is pruned once it is older than Delta.
 *
 * <p>Source: Mantri pseudocode 1, line 3, and footnote 6 ("the fastest copy, the second fastest one
 * and a copy that has recently been started"), so at most 3 copies run.
 *
 * <p>It never prunes an attempt of a task that commits, an attempt without an estimate of its own,
 * or the last one. It also keeps the oldest attempt of a cloned task, for the same reason as {@link
 * SlowerAttemptRule}: otherwise only clones would be left, and they may have to give way. And it
 * keeps an attempt that has done more than those that seem faster ({@link Lead}).
 */
public final class PruningRule implements RestartPolicy {
  /** The paper's number of fastest copies to keep. */
  static final int ALPHA = 2;

  private final RemainingTimeEstimator remaining = new RemainingTimeEstimator();

  /** Returns the attempts to prune. */
  @Override
  public List<Decision> decide(PhaseModel phase, Demand demand, double now) {
    List<Decision> decisions = new ArrayList<>();
    for (TaskModel task : phase.running()) {
      if (task.runningCopies() > ALPHA && !task.isCommitting()) {
        prune(task, demand, now, decisions);
      }
    }
    return decisions;
  }

  private void prune(TaskModel task, Demand demand, double now, List<Decision> decisions) {
    List<AttemptModel> judged = new ArrayList<>();
    AttemptModel oldest = null;
    AttemptModel newest = null;
    for (AttemptModel attempt : task.attempts()) {
      if (attempt.state() == AttemptState.RUNNING) {
        oldest = oldest == null ? attempt : oldest;
        newest = newest == null || attempt.launchedAt() >= newest.launchedAt() ? attempt : newest;
        double seconds = remaining.seconds(attempt, now);
        boolean isOwn = !Double.isNaN(seconds) && remaining.basis(attempt) != Basis.PEERS;
        if (isOwn || seconds == Double.POSITIVE_INFINITY) {
          judged.add(attempt);
        }
      }
    }
    judged.sort(Comparator.comparingDouble(attempt -> remaining.seconds(attempt, now)));
    double delta = task.phase().delta();
    for (AttemptModel slow : judged.subList(Math.min(ALPHA, judged.size()), judged.size())) {
      double seconds = remaining.seconds(slow, now);
      boolean hasStopped = seconds == Double.POSITIVE_INFINITY;
      boolean leads =
          judged.subList(0, ALPHA).stream()
              .noneMatch(kept -> Lead.isLost(slow, hasStopped, kept, now));
      boolean isOfClones = task.hasClones() && slow == oldest;
      boolean stays = slow == newest || isOfClones || leads;
      if (!stays && now - slow.launchedAt() > delta) {
        double kept = remaining.seconds(judged.get(ALPHA - 1), now);
        Evidence evidence =
            Evidence.ofSlower(slow, demand.tasksWait(), seconds, remaining.basis(slow), kept);
        decisions.add(new Decision(now, task, Optional.of(slow), Rule.SLOWER_COPY, evidence));
      }
    }
  }
}
