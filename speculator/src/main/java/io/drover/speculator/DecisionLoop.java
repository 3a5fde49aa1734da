// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import io.drover.core.model.Action;
import io.drover.core.model.Decision;
import io.drover.core.model.Demand;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import io.drover.core.restart.Apart;
import io.drover.core.restart.MantriRestart;
import io.drover.core.restart.Outrun;
import io.drover.core.restart.Prune;
import io.drover.core.restart.RestartPolicy;
import io.drover.core.restart.SlowMachines;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;

/**
 * One pass after another over a job: take in the notes, look at the running tasks, let the policies
 * decide, log, act. Belongs to the decision thread.
 */
final class DecisionLoop {
  private static final long SHORTEST_PERIOD_MILLIS = 250;

  /** What was asked for this many periods ago and has not come says that no slot is free. */
  private static final double PATIENCE = 3;

  private final JobModel model;
  private final JobSettings settings;
  private final Set<TaskKind> kinds;
  private final BlockingQueue<Note> notes;
  private final Actuator actuator;
  private final Journal journal;
  private final SpeculationCap cap;
  private final Map<TaskKind, RestartPolicy> restart = new EnumMap<>(TaskKind.class);
  private final List<RestartPolicy> tidy;
  private final SlowMachines slowMachines;

  /** Machines that are slow, and on which the job may still get containers. */
  private final Set<String> toAvoid = new LinkedHashSet<>();

  private double lastRestart = Double.NEGATIVE_INFINITY;
  private long lastPassMillis;

  /**
   * A loop over one job.
   *
   * @param budget how many attempts of a task may live at once
   * @param kinds the phases that may be acted on
   * @param cap how many copies the job allows
   * @param ownAppMaster whether the AppMaster keeps copies apart by itself and can lose one without
   *     getting another
   */
  DecisionLoop(
      JobModel model,
      JobSettings settings,
      AttemptBudget budget,
      Set<TaskKind> kinds,
      SpeculationCap cap,
      BlockingQueue<Note> notes,
      Actuator actuator,
      Journal journal,
      boolean ownAppMaster) {
    this.model = model;
    this.settings = settings;
    this.kinds = kinds;
    this.cap = cap;
    this.notes = notes;
    this.actuator = actuator;
    this.journal = journal;
    for (TaskKind kind : TaskKind.values()) {
      int copies = budget.mostAtOnce(kind, settings.restart().maxCopies());
      restart.put(kind, new MantriRestart(settings.restart().withMaxCopies(copies)));
    }
    this.tidy =
        ownAppMaster
            ? List.of(new Outrun(settings.restart().outrun()), new Prune(Prune.ALPHA))
            : List.of(new Apart(settings.maxMoves()));
    int outliers = settings.slowMachineOutliers();
    this.slowMachines = outliers == 0 ? null : new SlowMachines(outliers);
  }

  /** Takes over what earlier AppMasters of the job have decided. */
  void recall(EarlierDecisions earlier, Optional<ContainerHand> hand) {
    earlier
        .restarts()
        .forEach(
            (task, machines) ->
                machines.forEach(
                    machine -> {
                      model.task(task).restartedBefore(machine);
                      hand.ifPresent(h -> h.fledBefore(task, machine));
                    }));
    if (slowMachines != null && settings.restartMode() == Mode.ON) {
      for (String machine : earlier.slowMachines()) {
        slowMachines.known(machine);
        toAvoid.add(machine);
      }
    }
  }

  /**
   * Milliseconds from one pass to the next. Copies are looked after more often than every Delta, so
   * that one that landed badly is sent back before it has started, but never for more than a
   * twentieth of the time.
   */
  long periodMillis() {
    long period = Math.min(SHORTEST_PERIOD_MILLIS, settings.estimator().period().toMillis());
    return Math.max(period, 20 * lastPassMillis);
  }

  /** One pass. */
  void pass(long nowMillis) throws IOException {
    long began = System.nanoTime();
    decide(nowMillis);
    lastPassMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
  }

  private void decide(long nowMillis) throws IOException {
    takeIn();
    model.refresh(nowMillis);
    double now = model.seconds(nowMillis);
    boolean due = now - lastRestart >= 0.95 * settings.estimator().periodSeconds();
    lastRestart = due ? now : lastRestart;
    if (due) {
      keepAway();
    }
    for (TaskKind kind : kinds) {
      PhaseModel phase = model.phase(kind);
      if (phase.running().isEmpty()) {
        continue;
      }
      Demand demand = demand(phase, now);
      for (RestartPolicy policy : tidy) {
        handle(policy.decide(phase, demand, now), nowMillis);
      }
      if (due) {
        List<Decision> decisions =
            offSlowMachines(restart.get(kind).decide(phase, demand, now), demand, now);
        findSlowMachines(phase, decisions, nowMillis);
        handle(decisions, nowMillis);
      }
    }
    journal.passed(nowMillis);
  }

  /** The job is over: takes in and logs what is left, and decides nothing any more. */
  void finish(long nowMillis) throws IOException {
    takeIn();
    model.refresh(nowMillis);
    journal.passed(nowMillis);
  }

  private void takeIn() throws IOException {
    for (Note note = notes.poll(); note != null; note = notes.poll()) {
      if (note instanceof Note.Report report) {
        model.reported(report);
        journal.reported(report);
      } else if (note instanceof Note.TaskChanged changed) {
        model.changed(changed);
      } else if (note instanceof Note.Acted acted) {
        acted(acted);
      } else if (note instanceof Note.Avoided avoided) {
        toAvoid.remove(avoided.machine());
      } else if (note instanceof Note.Settled settled) {
        journal.settled(settled);
      } else if (note instanceof Note.Told told) {
        journal.told(told);
      }
    }
  }

  private void acted(Note.Acted acted) throws IOException {
    Decision decision = acted.decision();
    if (acted.refusal() != null) {
      journal.refused(acted);
      return;
    }
    TaskModel task = decision.task();
    switch (decision.rule()) {
      case SAME_MACHINE -> task.moved();
      case RESTART_PAYS -> task.restarted(decision.attempt().orElseThrow());
      default -> {
        // a copy was noted when it was decided on
      }
    }
  }

  private List<Decision> offSlowMachines(List<Decision> decisions, Demand demand, double now) {
    boolean known = slowMachines != null && slowMachines.areKnown();
    return known && !anyTaskWaits(now)
        ? slowMachines.copyWaiting(decisions, demand.freeSlots().orElse(0))
        : decisions;
  }

  /** Of either kind: a copy of a reduce would get its container before a map that waits for one. */
  private boolean anyTaskWaits(double now) {
    return Arrays.stream(TaskKind.values())
        .anyMatch(kind -> model.phase(kind).waiting(now, patience()) > 0);
  }

  private double patience() {
    return PATIENCE * Math.max(1, settings.estimator().periodSeconds());
  }

  private Demand demand(PhaseModel phase, double now) {
    double patience = patience();
    int waiting = phase.waiting(now, patience);
    boolean copyStarves = false;
    for (TaskModel task : phase.running()) {
      if (task.copies() > task.runningCopies()) {
        copyStarves |= now - task.lastRequestedAt() > patience;
      }
    }
    return new Demand(waiting, OptionalInt.of(copyStarves ? 0 : cap.free(phase)));
  }

  private void handle(List<Decision> decisions, long nowMillis) throws IOException {
    for (Decision decision : decisions) {
      boolean fresh = journal.decided(decision, nowMillis);
      if (decision.action() == Action.LEAVE || settings.restartMode() != Mode.ON || !fresh) {
        continue;
      }
      decision.task().copied(decision.at());
      TaskId task = model.id(decision.task());
      actuator.post(new Actuator.Act(decision, task, decision.attempt().map(model::id)));
    }
  }

  private void findSlowMachines(PhaseModel phase, List<Decision> decisions, long nowMillis)
      throws IOException {
    if (slowMachines == null) {
      return;
    }
    List<String> fresh = slowMachines.observe(phase, decisions);
    for (String machine : fresh) {
      journal.slowMachine(machine, nowMillis);
    }
    if (settings.restartMode() == Mode.ON && !fresh.isEmpty()) {
      toAvoid.addAll(fresh);
      keepAway(); // before the copies that are about to be asked for
    }
  }

  /** Asks to, again and again until it is done: it may not be the moment for it. */
  private void keepAway() {
    toAvoid.forEach(machine -> actuator.post(new Actuator.KeepAway(machine, model.anyAttempt())));
  }
}
