// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.simulator.engine.AttemptRun.Kind;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Slowness;
import java.util.function.DoubleConsumer;

/** Manages the attempts of a run: requests them, launches them in slots, and ends them. */
final class Attempts {
  /** How long a clone waits for a slot, seconds. Modelled: a later one would be too far behind. */
  static final double CLONE_PATIENCE = 10;

  private final Simulation simulation;
  private final EventQueue queue;
  private final RackLinks links;
  private final ClusterShape shape;
  private final Slowness slowness;
  private final Scheme scheme;
  private final InputBlocks inputs;
  private final Names names;
  private final JobBooks ledger;

  Attempts(
      Simulation simulation,
      EventQueue queue,
      RackLinks links,
      Slowness slowness,
      InputBlocks inputs,
      Names names,
      JobBooks ledger) {
    this.simulation = simulation;
    this.queue = queue;
    this.links = links;
    this.shape = simulation.shape();
    this.slowness = slowness;
    this.scheme = simulation.scheme();
    this.inputs = inputs;
    this.names = names;
    this.ledger = ledger;
  }

  /** Requests another attempt of a task. */
  void ask(TaskRun task, Kind kind) {
    AttemptRun attempt = newAttempt(task, kind);
    task.phase().count().asked(kind);
    if (kind == Kind.CLONE) {
      simulation.allocation().clones().ask(attempt);
      simulation.at(simulation.now() + CLONE_PATIENCE, at -> withdraw(attempt));
    } else {
      task.phase().job().ask(attempt);
      simulation.allocation().wants(task.phase().job());
    }
    if (kind == Kind.REQUEUED || kind == Kind.RECOMPUTATION) {
      task.phase().job().runAgain(task);
      simulation.allocation().mayStarve(task.phase().job());
    }
  }

  /** Withdraws a clone that has waited too long for a slot. */
  private void withdraw(AttemptRun clone) {
    if (!clone.isRunning() && !clone.isOver()) {
      kill(clone);
    }
  }

  private AttemptRun newAttempt(TaskRun task, Kind kind) {
    int number = task.nextAttempt();
    AttemptModel model =
        task.model() == null ? null : task.model().addAttempt(number, simulation.now());
    if (model != null && kind == Kind.CLONE) {
      task.model().cloned(model);
    }
    AttemptRun attempt = new AttemptRun(task, number, kind, model);
    task.asked(attempt);
    return attempt;
  }

  /** Creates the first attempt of a task, which has a slot, and requests the task's clones. */
  AttemptRun first(TaskRun task) {
    int number = task.nextAttempt();
    AttemptModel model = task.model() == null ? null : task.model().attempts().get(0);
    Kind kind = task.phase().job().isCopy() ? Kind.CLONE : Kind.ORIGINAL;
    AttemptRun attempt = new AttemptRun(task, number, kind, model);
    task.phase().count().asked(kind);
    task.asked(attempt);
    int copies = scheme.copiesFromTheStart(task.phase());
    for (int clone = 1; clone < copies; clone++) {
      ask(task, Kind.CLONE);
    }
    return attempt;
  }

  void launch(AttemptRun attempt, int slot) {
    double now = simulation.now();
    int machine = shape.machineOf(slot);
    attempt.reads(inputs.block(attempt, machine));
    double factor = scheme.factor(attempt.task(), attempt.number(), machine, slowness);
    attempt.launch(slot, factor * inputs.factor(attempt, machine), now);
    attempt.phase().launched(attempt);
    attempt.phase().job().slotTaken();
    ledger.launched(now);
    if (attempt.model() != null) {
      attempt.model().launched(now, names.machine(machine));
    }
    simulation.outages().launched(attempt, now);
    schedule(attempt);
  }

  /** Adds the next event of an attempt to the queue. */
  void schedule(AttemptRun attempt) {
    simulation.at(attempt.nextAt(), attempt);
  }

  Shuffle shuffle(AttemptRun attempt) {
    return new Shuffle(attempt, shape, links, queue);
  }

  /** Begins to read a map's block from another machine. */
  Transfer read(AttemptRun attempt, DoubleConsumer whenOver) {
    int machine = attempt.machine();
    double bytes = attempt.bytes();
    double cardSeconds = bytes / shape.nicBytesPerSecond();
    double[] share = inputs.sources(attempt, machine);
    Transfer read =
        new Transfer(
            whenOver, links, shape.rackOf(machine), share, bytes, cardSeconds, simulation.now());
    read.scheduleCard(queue);
    return read;
  }

  /** Ends an attempt that has done its work. */
  void finish(AttemptRun attempt) {
    TaskRun task = attempt.task();
    task.done(attempt);
    end(attempt, AttemptState.SUCCEEDED);
    boolean isFirst = task.timesDone() == 1;
    if (isFirst) {
      task.phase().done(attempt);
    }
    giveUpAll(task);
    ledger.done(task);
    simulation.recomputations().made(attempt);
    simulation.jobs().taskIsDone(task.phase(), isFirst);
    simulation.allocation().wants(task.phase().job());
  }

  /**
   * Ends an attempt that has not done its work, whether it has a slot or waits for one. If its task
   * has no other attempt, a new one is requested: a clone may be the last attempt when it is
   * killed.
   */
  void kill(AttemptRun attempt) {
    end(attempt, Kind.REPLACEMENT);
  }

  /** Ends an attempt that has lost its slot, and requests another if its task has none left. */
  void requeue(AttemptRun attempt) {
    end(attempt, Kind.REQUEUED);
  }

  private void end(AttemptRun attempt, Kind next) {
    giveUp(attempt);
    TaskRun task = attempt.task();
    if (task.live().stream().allMatch(AttemptRun::isWaitingClone)) {
      ask(task, task.isBeingRemade() ? Kind.RECOMPUTATION : next);
    }
  }

  /** Ends an attempt that has not done its work, without requesting another one. */
  void giveUp(AttemptRun attempt) {
    end(attempt, AttemptState.KILLED);
    simulation.allocation().wants(attempt.phase().job());
  }

  private void end(AttemptRun attempt, AttemptState how) {
    double now = simulation.now();
    boolean held = attempt.isRunning();
    attempt.end(how == AttemptState.SUCCEEDED, now);
    attempt.task().ended(attempt);
    if (attempt.model() != null) {
      attempt.model().ended(how, now);
    }
    if (held) {
      simulation.allocation().giveBack(attempt);
      attempt.phase().released(attempt);
      ledger.released(attempt, now);
      simulation.outages().released(attempt);
      simulation.recomputations().released(attempt);
      scheme.ended(attempt);
    }
  }

  /** Ends all attempts of a task, without requesting another one. */
  void giveUpAll(TaskRun task) {
    while (!task.live().isEmpty()) {
      giveUp(task.live().get(task.live().size() - 1));
    }
  }
}
