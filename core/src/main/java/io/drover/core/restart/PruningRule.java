// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import io.drover.core.estimate.RemainingTimeEstimator;
import io.drover.core.estimate.RemainingTimeEstimator.RemainingTime;
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

  private record Judged(AttemptModel attempt, RemainingTime remaining) {}

  private void prune(TaskModel task, Demand demand, double now, List<Decision> decisions) {
    List<Judged> judged = new ArrayList<>();
    AttemptModel oldest = null;
    AttemptModel newest = null;
    for (AttemptModel attempt : task.attempts()) {
      if (attempt.state() == AttemptState.RUNNING) {
        oldest = oldest == null ? attempt : oldest;
        newest = newest == null || attempt.launchedAt() >= newest.launchedAt() ? attempt : newest;
        remaining
            .estimate(attempt, now)
            .filter(r -> r.basis() != Basis.PEERS || Double.isInfinite(r.seconds()))
            .ifPresent(r -> judged.add(new Judged(attempt, r)));
      }
    }
    judged.sort(Comparator.comparingDouble(j -> j.remaining().seconds()));
    double delta = task.phase().delta();
    for (Judged slower : judged.subList(Math.min(ALPHA, judged.size()), judged.size())) {
      AttemptModel slow = slower.attempt();
      double seconds = slower.remaining().seconds();
      boolean hasStopped = seconds == Double.POSITIVE_INFINITY;
      boolean leads =
          judged.subList(0, ALPHA).stream()
              .noneMatch(kept -> Lead.isLost(slow, hasStopped, kept.attempt(), now));
      boolean isOfClones = task.hasClones() && slow == oldest;
      boolean stays = slow == newest || isOfClones || leads;
      if (!stays && now - slow.launchedAt() > delta) {
        double kept = judged.get(ALPHA - 1).remaining().seconds();
        Evidence evidence =
            Evidence.ofSlower(slow, demand.tasksWait(), seconds, slower.remaining().basis(), kept);
        decisions.add(new Decision(now, task, Optional.of(slow), Rule.SLOWER_COPY, evidence));
      }
    }
  }
}
