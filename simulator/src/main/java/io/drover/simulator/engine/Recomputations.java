// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.engine.AttemptRun.Kind;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Draws;
import io.drover.simulator.world.Losses;
import java.util.Set;

/**
 * Outputs that are lost, and tasks that are run again for it: when a reader misses an output, as
 * Hadoop runs a map again whose output cannot be fetched, or earlier if the scheme fears its loss.
 * Reducers do not fail while they wait. A task that is run again reads its own input again, some of
 * which may be lost as well.
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

  /** Whether any output can be missed in this run. */
  boolean happen() {
    return happen;
  }

  /** What is to be known of the outputs of a phase; null if none of them can be missed. */
  PhaseOutputs outputsOf(PhaseRun phase) {
    return happen && phase.isRead() ? new PhaseOutputs(phase, losses, count) : null;
  }

  /** A task is done, for the first time or again. */
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

  /** A reader wants an output that is lost. */
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
    // Once all who look for outputs at this time have missed theirs: nobody is faster than that.
    Output lost = task.output();
    simulation.at(simulation.now(), now -> tellScheme(task, lost));
  }

  private void tellScheme(TaskRun task, Output lost) {
    if (!task.phase().job().isOver()) {
      simulation.scheme().missed(task, lost, simulation.actions());
    }
  }

  /** An output that nobody has missed yet is made again; its readers take it where it still is. */
  void precompute(TaskRun task) {
    if (!task.isDone()) {
      throw new IllegalStateException("the output of " + task + " is not to be made again");
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

  /** A slot is left by an attempt of a task that is run again. */
  void released(AttemptRun attempt) {
    if (attempt.task().isBeingRemade() && !attempt.task().isMissed()) {
      count.precomputedFor(attempt.slotSeconds());
    }
  }

  /**
   * Begins to copy an output to another machine of its rack, chosen by chance; the network card is
   * what it takes. It is not there before all of it has arrived.
   *
   * @param avoided machines that are not to keep it
   * @return whether there is such a machine
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

  /** A machine beside the first one that keeps an output; negative if there is none. */
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

  /** A job has ended: nobody needs any more what is still being made again for it. */
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
