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

/** Lets core's restart policies decide about a phase, and carries out their decisions. */
final class CoreRestart {
  private final RestartPolicy prune = new PruningRule();
  private final RestartPolicy slowerAttempt;
  private final RestartPolicy restart;
  private final ObjDoubleConsumer<AttemptRun> whenEndedAsSlower;

  /** Uses Mantri's rules as printed: the two fastest attempts of a task go on. */
  CoreRestart(RestartSettings settings) {
    this(settings.withoutMoreToDo(), Double.POSITIVE_INFINITY, (attempt, remaining) -> {});
  }

  /**
   * Uses these settings, including their rule that ends an attempt if another one of its task is
   * faster.
   *
   * @param whenEndedAsSlower receives each attempt that this rule is about to end, and its t_rem in
   *     seconds
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
   * Scans a phase once: ends slower attempts, prunes, then restarts and duplicates within the free
   * slots.
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
   * While tasks of the phase wait, a copy takes the next slot that becomes free. When all have
   * begun, it takes a slot that is free now.
   */
  private static Demand demand(PhaseRun phase, Actions actions) {
    boolean tasksWait = phase.waiting() > 0;
    return new Demand(
        tasksWait, tasksWait ? OptionalInt.empty() : OptionalInt.of(actions.freeSlots()));
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
