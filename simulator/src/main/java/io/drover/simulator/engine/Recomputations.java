// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.engine.AttemptRun.Kind;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Draws;
import io.drover.simulator.world.Losses;
import java.util.Set;

/**
 * Runs tasks again whose outputs are lost: when a reader misses an output, as Hadoop runs a map
 * again whose output cannot be fetched, or earlier if the scheme fears the loss. Reducers do not
 * fail while they wait. A task that is run again reads its input again, and some of that may be
 * lost as well.
 */
final class Recomputations {
  private static final int OF_REPLICA = 21;

  private final Simulation simulation;
  private final Losses losses;
  private final ReworkCount count;
  private final boolean happen;

  Recomputations(Simulation simulation, Scheme scheme, Losses losses, ReworkCount count) {
    this.simulation = simulation;
    this.losses = losses;
    this.count = count;
    this.happen = losses.concernOutputs() && !scheme.neverMissesOutputs();
  }

  /** Returns whether an output can be missed in this run. */
  boolean happen() {
    return happen;
  }

  /** Creates the record of a phase's outputs; null if no output can be missed. */
  PhaseOutputs outputsOf(PhaseRun phase) {
    return happen && phase.isRead() ? new PhaseOutputs(phase, losses, count) : null;
  }

  /** Handles the output of a task that is done, for the first time or again. */
  void made(AttemptRun by) {
    TaskRun task = by.task();
    PhaseRun phase = task.phase();
    if (phase.outputs() == null) {
      return;
    }
    double now = simulation.now();
    boolean again = task.isBeingRemade();
    phase.outputs().made(by, again && !task.isMissed(), now);
    if (again) {
      phase.remade(by);
    }
    simulation.scheme().kept(task, simulation.actions());
    if (again) {
      phase.outputIsBack(task, now);
    }
  }

  /** Handles a reader that wants a lost output. Its task runs again, if it does not already. */
  void missed(TaskRun task) {
    if (task.isBeingRemade() && task.isMissed()) {
      return;
    }
    count.missed();
    task.phase().job().missedOutput();
    if (task.isBeingRemade()) {
      count.precomputationIsNeeded();
    } else {
      runAgain(task);
    }
    task.miss();
    task.phase().reader().inputIsMissing();
    // Tell the scheme after all readers at this time have missed theirs: it cannot react faster.
    Output lost = task.output();
    simulation.at(simulation.now(), now -> tellScheme(task, lost));
  }

  private void tellScheme(TaskRun task, Output lost) {
    if (!task.phase().job().isOver()) {
      simulation.scheme().missed(task, lost, simulation.actions());
    }
  }

  /** Makes an output again before a reader misses it. Readers use the original while it exists. */
  void precompute(TaskRun task) {
    if (!task.isDone()) {
      throw new IllegalStateException("the output of " + task + " cannot be made again now");
    }
    count.precomputed();
    runAgain(task);
  }

  private void runAgain(TaskRun task) {
    task.undo();
    task.phase().undone(task);
    simulation.attempts().ask(task, Kind.RECOMPUTATION);
    simulation.scans().beginAgain(task.phase());
  }

  /** Counts the slot seconds of an attempt if they were spent on a pre-computation. */
  void released(AttemptRun attempt) {
    if (attempt.task().isBeingRemade() && !attempt.task().isMissed()) {
      count.precomputedFor(attempt.slotSeconds());
    }
  }

  /**
   * Begins to copy an output to a random machine of its rack. The transfer takes as long as the
   * network card needs, and the copy can be read once all of it has arrived.
   *
   * @param avoided machines that must not get the copy
   * @return whether a machine was found
   */
  boolean replicate(TaskRun task, Set<Integer> avoided) {
    PhaseOutputs outputs = task.phase().outputs();
    Output output = outputs.of(task);
    int attempt = task.winner().orElseThrow().number();
    int machine = another(task, output, avoided);
    if (machine < 0) {
      return false;
    }
    double arrives = simulation.now() + output.bytes() / simulation.shape().nicBytesPerSecond();
    count.replicated(output.bytes());
    simulation.at(arrives, now -> outputs.copied(task, output, attempt, machine, now));
    return true;
  }

  /** Returns another machine in the rack where an output was made; negative if there is none. */
  private int another(TaskRun task, Output output, Set<Integer> avoided) {
    ClusterShape shape = simulation.shape();
    int rack = shape.rackOf(output.firstMachine());
    int inRack = shape.machinesIn(rack);
    long key = Draws.key(simulation.settings().seed(), OF_REPLICA, task.phase().key());
    int from = Draws.index(Draws.key(key, task.index()), inRack);
    for (int i = 0; i < inRack; i++) {
      int machine = rack + (from + i) % inRack * shape.racks();
      boolean isUp = simulation.outages().isUp(machine);
      if (isUp && !avoided.contains(machine) && !output.machines().contains(machine)) {
        return machine;
      }
    }
    return -1;
  }

  /** Ends the attempts that still make outputs again for a job that has ended. */
  void jobIsOver(JobRun job) {
    for (PhaseRun phase : job.ended()) {
      for (TaskRun task : phase.remaking()) {
        while (!task.live().isEmpty()) {
          simulation.attempts().giveUp(task.live().get(task.live().size() - 1));
        }
      }
    }
  }
}
