// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.model.AttemptModel;
import io.drover.core.model.Decision;
import io.drover.core.model.Demand;
import io.drover.core.model.PhaseModel;
import io.drover.core.restart.MantriRestart;
import io.drover.core.restart.Outrun;
import io.drover.core.restart.Prune;
import io.drover.core.restart.RestartPolicy;
import io.drover.core.restart.RestartSettings;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.TaskRun;
import java.util.OptionalInt;
import java.util.function.ObjDoubleConsumer;

/** Lets core's restart policies decide about a phase, and does what they say. */
final class CoreRestart {
  private final RestartPolicy prune = new Prune(Prune.ALPHA);
  private final RestartPolicy outrun;
  private final RestartPolicy restart;
  private final ObjDoubleConsumer<AttemptRun> whenOutrun;

  /** By Mantri's rules, as they are printed: the two fastest attempts of a task go on. */
  CoreRestart(RestartSettings settings) {
    this(settings, Double.POSITIVE_INFINITY, (attempt, remaining) -> {});
  }

  /**
   * By these, but that an attempt is ended once another one of its task outruns it.
   *
   * @param whenOutrun is told of each attempt that is about to be ended so, and of its t_rem in
   *     seconds
   */
  CoreRestart(RestartSettings settings, ObjDoubleConsumer<AttemptRun> whenOutrun) {
    this(settings, settings.outrun(), whenOutrun);
  }

  private CoreRestart(
      RestartSettings settings, double outrun, ObjDoubleConsumer<AttemptRun> whenOutrun) {
    this.restart = new MantriRestart(settings);
    this.outrun = new Outrun(outrun);
    this.whenOutrun = whenOutrun;
  }

  /** One look: who is outrun, prune, then restart and duplicate, within the slots that are free. */
  void scan(PhaseRun phase, Actions actions) {
    PhaseModel model = phase.model().orElseThrow();
    for (Decision decision : outrun.decide(model, demand(phase, actions), actions.now())) {
      AttemptRun slower = attempt(phase, decision);
      whenOutrun.accept(slower, decision.evidence().remaining().orElseThrow());
      actions.prune(slower);
    }
    for (Decision decision : prune.decide(model, demand(phase, actions), actions.now())) {
      AttemptRun attempt = attempt(phase, decision);
      if (attempt.task().live().size() > 1) {
        actions.prune(attempt);
      }
    }
    for (Decision decision : restart.decide(model, demand(phase, actions), actions.now())) {
      switch (decision.action()) {
        case DUPLICATE -> actions.copy(task(phase, decision));
        case KILL_AND_RESTART -> actions.restart(attempt(phase, decision));
        case PRUNE, START, LEAVE -> {}
      }
    }
  }

  /**
   * While tasks of the phase wait, a copy takes the slot that comes free next; when all have begun,
   * it takes one that is free.
   */
  private static Demand demand(PhaseRun phase, Actions actions) {
    int waiting = phase.waiting();
    return new Demand(
        waiting, waiting > 0 ? OptionalInt.empty() : OptionalInt.of(actions.freeSlots()));
  }

  private static TaskRun task(PhaseRun phase, Decision decision) {
    return phase.tasks().get(decision.task().index());
  }

  private static AttemptRun attempt(PhaseRun phase, Decision decision) {
    AttemptModel model = decision.attempt().orElseThrow();
    return task(phase, decision).live().stream()
        .filter(attempt -> attempt.model() == model)
        .findFirst()
        .orElseThrow();
  }
}
