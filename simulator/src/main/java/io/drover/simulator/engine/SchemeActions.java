// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.engine.Actions.NetworkEstimate;
import io.drover.simulator.engine.AttemptRun.Kind;
import java.util.Set;

/** Carries out what a scheme requests, and informs core's models. */
final class SchemeActions implements Actions {
  private final Simulation simulation;

  SchemeActions(Simulation simulation) {
    this.simulation = simulation;
  }

  @Override
  public double now() {
    return simulation.now();
  }

  @Override
  public int freeSlots() {
    return simulation.allocation().slots().count();
  }

  @Override
  public int slots() {
    return simulation.shape().slots();
  }

  @Override
  public NetworkEstimate network() {
    return simulation.network();
  }

  @Override
  public void place(PhaseRun phase, int[] racks) {
    phase.starts().wish(racks);
  }

  @Override
  public void copy(TaskRun task) {
    if (task.model() != null) {
      task.model().copied(now());
    }
    simulation.attempts().ask(task, Kind.COPY);
  }

  @Override
  public void restart(AttemptRun attempt) {
    TaskRun task = attempt.task();
    if (task.model() != null) {
      task.model().restarted(attempt.model());
    }
    task.fled(attempt);
    simulation.attempts().giveUp(attempt);
    simulation.attempts().ask(task, Kind.RESTART);
  }

  @Override
  public double inRackBytesPerSecond() {
    return simulation.shape().nicBytesPerSecond();
  }

  @Override
  public boolean replicate(TaskRun task, Set<Integer> avoided) {
    return simulation.recomputations().replicate(task, avoided);
  }

  @Override
  public void precompute(TaskRun task) {
    simulation.recomputations().precompute(task);
  }

  @Override
  public void prune(AttemptRun attempt) {
    if (attempt.task().live().size() < 2) {
      throw new IllegalStateException("the last attempt of a task must not be pruned");
    }
    simulation.attempts().kill(attempt);
  }
}
