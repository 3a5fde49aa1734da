// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.model.AttemptModel;
import io.drover.core.model.Decision;
import io.drover.core.model.Demand;
import io.drover.core.model.PhaseModel;
import io.drover.core.restart.MantriRestart;
import io.drover.core.restart.PruningRule;
import io.drover.core.restart.RestartPolicy;
import io.drover.core.restart.RestartSettings;
import io.drover.core.restart.SlowerAttemptRule;
import io.drover.simulator.engine.Actions;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.TaskRun;
import java.util.OptionalInt;
import java.util.function.ObjDoubleConsumer;

/** Lets core's restart policies decide about a phase, and does what they say. */
final class CoreRestart {
  private final RestartPolicy prune = new PruningRule(PruningRule.ALPHA);
  private final RestartPolicy slowerAttempt;
  private final RestartPolicy restart;
  private final ObjDoubleConsumer<AttemptRun> whenEndedAsSlower;

  /** By Mantri's rules, as they are printed: the two fastest attempts of a task go on. */
  CoreRestart(RestartSettings settings) {
    this(settings, Double.POSITIVE_INFINITY, (attempt, remaining) -> {});
  }

  /**
   * By these settings, but an attempt is ended once another one of its task is faster.
   *
   * @param whenEndedAsSlower is told of each attempt that is about to be ended so, and of its t_rem
   *     in seconds
   */
  CoreRestart(RestartSettings settings, ObjDoubleConsumer<AttemptRun> whenEndedAsSlower) {
    this(settings, settings.slowerAttempt(), whenEndedAsSlower);
  }

  private CoreRestart(
      RestartSettings settings,
      double slowerAttempt,
      ObjDoubleConsumer<AttemptRun> whenEndedAsSlower) {
    this.restart = new MantriRestart(settings);
    this.slowerAttempt = new SlowerAttemptRule(slowerAttempt);
    this.whenEndedAsSlower = whenEndedAsSlower;
  }

  /**
   * One look: the slower attempts, pruning, then restart and duplicate, within the slots that are
   * free.
   */
  void scan(PhaseRun phase, Actions actions) {
    PhaseModel model = phase.model().orElseThrow();
    for (Decision decision : slowerAttempt.decide(model, demand(phase, actions), actions.now())) {
      AttemptRun slower = attempt(phase, decision);
      whenEndedAsSlower.accept(slower, decision.evidence().remaining().orElseThrow());
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
