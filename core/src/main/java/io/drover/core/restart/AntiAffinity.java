// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

import io.drover.core.model.AttemptModel;
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
 * Keeps the copies of a task apart. A copy that was given the machine of another live attempt of
 * its task, or one from which the task was moved away, is sent back for another container, a
 * bounded number of times.
 *
 * <p>Source: in Mantri section 5.5, t_new depends on the candidate machine. Here the scheduler
 * chooses the machine, not the policy. So the policy can only refuse a place that is no better than
 * the old one.
 *
 * <p>It never touches the first attempt of a task, an attempt that has done some work, or a task
 * that commits.
 */
public final class AntiAffinity implements RestartPolicy {
  private final int maxMoves;

  /**
   * Creates the rule.
   *
   * @param maxMoves how often copies of one task are sent back, at least 0
   */
  public AntiAffinity(int maxMoves) {
    if (maxMoves < 0) {
      throw new IllegalArgumentException("maxMoves must be at least 0, was " + maxMoves);
    }
    this.maxMoves = maxMoves;
  }

  /** Returns the copies to send back. */
  @Override
  public List<Decision> decide(PhaseModel phase, Demand demand, double now) {
    List<Decision> decisions = new ArrayList<>();
    for (TaskModel task : phase.tasks()) {
      boolean copied = task.attempts().size() > 1 && task.copies() > 0;
      if (copied && !task.isDone() && !task.isCommitting() && task.moves() < maxMoves) {
        misplaced(task).ifPresent(a -> decisions.add(decision(task, a, demand.tasksWait(), now)));
      }
    }
    return decisions;
  }

  private static Optional<AttemptModel> misplaced(TaskModel task) {
    List<AttemptModel> attempts = task.attempts();
    for (int i = attempts.size() - 1; i > 0; i--) {
      AttemptModel copy = attempts.get(i);
      boolean placed = copy.state().isLive() && copy.machine().isPresent() && copy.work() == 0;
      if (placed && isUnsuitable(task, copy, copy.machine().get())) {
        return Optional.of(copy);
      }
    }
    return Optional.empty();
  }

  private static boolean isUnsuitable(TaskModel task, AttemptModel copy, String machine) {
    if (task.fledFrom(machine)) {
      return true;
    }
    for (AttemptModel other : task.attempts()) {
      boolean older = other.number() < copy.number();
      if (older && other.state().isLive() && machine.equals(other.machine().orElse(null))) {
        return true;
      }
    }
    return false;
  }

  private static Decision decision(
      TaskModel task, AttemptModel copy, boolean tasksWait, double now) {
    Evidence evidence = Evidence.withoutEstimates(task, tasksWait, copy.work());
    return new Decision(now, task, Optional.of(copy), Rule.SAME_MACHINE, evidence);
  }
}
