// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Losses;

/**
 * Lets machines fail and come back, and evicts attempts. An attempt that loses its slot in this way
 * is requested again at once. It has not failed, and does not count against its task.
 */
final class Outages {
  private final Simulation simulation;
  private final Losses losses;
  private final ClusterShape shape;
  private final ReworkCount count;
  private final AttemptRun[] inSlot;
  private final boolean[] down;

  Outages(Simulation simulation, Losses losses, ReworkCount count) {
    this.simulation = simulation;
    this.losses = losses;
    this.shape = simulation.shape();
    this.count = count;
    this.inSlot = new AttemptRun[shape.slots()];
    this.down = new boolean[shape.machines()];
  }

  /** Schedules the first failure of each machine. */
  void begin() {
    for (int machine = 0; machine < shape.machines(); machine++) {
      awaitFailure(machine, 0);
    }
  }

  private void awaitFailure(int machine, double now) {
    double at = losses.failsAfter(machine, now);
    if (at < Double.POSITIVE_INFINITY) {
      simulation.at(at, then -> fail(machine, then));
    }
  }

  private void fail(int machine, double now) {
    if (simulation.jobs().isOver()) {
      return;
    }
    down[machine] = true;
    for (int slot = firstSlot(machine); slot < firstSlot(machine + 1); slot++) {
      if (inSlot[slot] != null) {
        count.died();
        simulation.attempts().requeue(inSlot[slot]);
      }
      simulation.allocation().slots().close(slot);
    }
    simulation.at(losses.isBackAt(machine, now), then -> comeBack(machine, then));
  }

  private void comeBack(int machine, double now) {
    down[machine] = false;
    for (int slot = firstSlot(machine); slot < firstSlot(machine + 1); slot++) {
      simulation.allocation().slots().open(slot);
    }
    awaitFailure(machine, now);
  }

  private int firstSlot(int machine) {
    return machine * shape.slotsPerMachine();
  }

  /** Returns whether a machine is up. */
  boolean isUp(int machine) {
    return !down[machine];
  }

  /** Notes that an attempt has got its slot, and schedules its eviction if it is to be evicted. */
  void launched(AttemptRun attempt, double now) {
    inSlot[attempt.slot()] = attempt;
    TaskRun task = attempt.task();
    double share = losses.evictedAfter(task.phase().key(), task.index(), attempt.number());
    if (share < 1) {
      double all = attempt.phase().overheads().startSeconds() + attempt.workSeconds();
      simulation.at(now + share * all, then -> evict(attempt));
    }
  }

  private void evict(AttemptRun attempt) {
    if (attempt.isRunning()) {
      count.evicted();
      simulation.attempts().requeue(attempt);
    }
  }

  void released(AttemptRun attempt) {
    inSlot[attempt.slot()] = null;
  }
}
