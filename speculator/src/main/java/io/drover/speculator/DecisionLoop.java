// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.config.JobSettings;
import io.drover.core.config.Mode;
import io.drover.core.estimate.LocationFactors;
import io.drover.core.model.AttemptModel;
import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Demand;
import io.drover.core.model.PhaseModel;
import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import io.drover.core.restart.AntiAffinity;
import io.drover.core.restart.EarlyCopies;
import io.drover.core.restart.MantriRestart;
import io.drover.core.restart.PruningRule;
import io.drover.core.restart.RestartPolicy;
import io.drover.core.restart.RestartSettings;
import io.drover.core.restart.SlowTasks;
import io.drover.core.restart.SlowerAttemptRule;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;

/**
 * Runs one pass after another over a job. A pass processes the events, checks the running tasks,
 * asks the policies to decide, logs and acts. The loop belongs to the decision thread.
 */
final class DecisionLoop {
  private static final long SHORTEST_PERIOD_MILLIS = 250;

  /** If a container requested this many periods ago has not come, no slot is free. */
  private static final double PATIENCE = 3;

  private final JobModel model;
  private final JobSettings settings;
  private final Set<TaskKind> kinds;
  private final DecisionThreadQueue queue;
  private final Actuator actuator;
  private final DecisionRecorder recorder;
  private final CopySlots slots;
  private final SecondAttempts second;
  private final Map<TaskKind, MantriRestart> restart = new EnumMap<>(TaskKind.class);
  private final List<RestartPolicy> tidy;
  private final Optional<LocationFactors> locations;
  private final RecoveredDecisions earlier;
  private final TaskType heardOf;
  private final Optional<AttemptPlacementHook> placementHook;

  /** Slow machines on which the job may still get containers. */
  private final Set<String> toAvoid = new LinkedHashSet<>();

  /** The tasks on which an action was sent that has not been answered yet. */
  private final Set<TaskModel> awaited = new HashSet<>();

  private boolean someAreDead;
  private Set<String> slowLinked = Set.of();

  /** What has become of the job's slow tasks, as it was told last. */
  private SlowTasks told = SlowTasks.NONE;

  private double lastRestart = Double.NEGATIVE_INFINITY;
  private final PassPace pace = new PassPace();

  /**
   * Creates a loop over one job.
   *
   * @param budget limits how many attempts of a task may be live at once
   * @param kinds the phases that may be acted on
   * @param cap limits how many copies the job may have
   * @param second tells whether tasks may have second attempts
   * @param heardOf the type of task whose speculator events reach the dispatcher thread
   * @param earlier the decisions before this loop that still hold; the loop adds its own
   * @param placementHook present in Drover's AppMaster, which keeps copies apart by itself and need
   *     not replace a killed one
   */
  DecisionLoop(
      JobModel model,
      JobSettings settings,
      AttemptBudget budget,
      Set<TaskKind> kinds,
      SpeculationCap cap,
      SecondAttempts second,
      DecisionThreadQueue queue,
      Actuator actuator,
      DecisionRecorder recorder,
      TaskType heardOf,
      RecoveredDecisions earlier,
      Optional<AttemptPlacementHook> placementHook) {
    this.model = model;
    this.settings = settings;
    this.kinds = kinds;
    this.second = second;
    this.queue = queue;
    this.actuator = actuator;
    this.recorder = recorder;
    for (TaskKind kind : TaskKind.values()) {
      RestartSettings allowed = settings.restart();
      int copies = budget.mostWithCopies(kind, allowed.maxCopies());
      int restarts = budget.allowsRestart(kind) ? allowed.maxRestarts() : 0;
      restart.put(kind, new MantriRestart(allowed.within(copies, restarts)));
    }
    this.tidy =
        placementHook.isPresent()
            ? List.of(new SlowerAttemptRule(settings.restart().slowerAttempt()), new PruningRule())
            : List.of(new AntiAffinity(settings.maxMoves()));
    int outliers = settings.slowMachineOutliers();
    this.locations = outliers == 0 ? Optional.empty() : Optional.of(new LocationFactors(outliers));
    this.heardOf = heardOf;
    this.placementHook = placementHook;
    this.slots =
        new CopySlots(cap, placementHook, kinds.stream().map(model::phase).toList(), patience());
    this.earlier = earlier;
    recall();
  }

  /** Takes over earlier decisions. */
  private void recall() {
    earlier
        .restarts()
        .forEach(
            (task, machines) ->
                machines.forEach(
                    machine -> {
                      model.task(task).restartedBefore(machine);
                      placementHook.ifPresent(h -> h.fledBefore(task, machine));
                    }));
    if (locations.isPresent() && settings.restartMode() == Mode.ON) {
      for (String machine : earlier.slowMachines()) {
        locations.get().known(machine);
        toAvoid.add(machine);
      }
    }
  }

  /**
   * Returns the milliseconds from one pass to the next. Passes come more often than every Delta, so
   * that a copy on an unsuitable machine is sent back before it starts. They come less often if
   * they are slow ({@link PassPace}).
   */
  long periodMillis() {
    return pace.periodMillis(
        Math.min(SHORTEST_PERIOD_MILLIS, settings.estimator().period().toMillis()));
  }

  /** Makes one pass. A step that fails does not stop the others. */
  void pass(long nowMillis, Steps steps) {
    long began = System.nanoTime();
    decide(nowMillis, steps);
    pace.took(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
  }

  private void decide(long nowMillis, Steps steps) {
    takeIn(steps);
    model.refresh(nowMillis, steps);
    double now = model.seconds(nowMillis);
    boolean due = now - lastRestart >= 0.95 * settings.estimator().periodSeconds();
    lastRestart = due ? now : lastRestart;
    if (due) {
      steps.run(() -> findSlowMachines(nowMillis));
      steps.run(this::keepAway); // before copies are requested
      placementHook.ifPresent(hook -> steps.run(() -> exchange(hook, now)));
    }
    for (TaskKind kind : kinds) {
      steps.run(() -> decide(model.phase(kind), due, nowMillis, steps));
    }
    recorder.passed(nowMillis);
  }

  /**
   * Learns which machines are dead or have slow links and what became of slow tasks in earlier
   * jobs, and tells what has become of this one's.
   */
  private void exchange(AttemptPlacementHook hook, double now) {
    restart.values().forEach(policy -> policy.earlierJobs(hook.earlierSlowTasks()));
    Set<String> dead = hook.deadMachines();
    someAreDead = !dead.isEmpty();
    slowLinked = hook.machinesWithSlowLinks();
    kinds.forEach(kind -> model.phase(kind).liveness().dead(dead));
    SlowTasks seen =
        kinds.stream()
            .map(kind -> MantriRestart.slowTasks(model.phase(kind), now))
            .reduce(SlowTasks.NONE, SlowTasks::plus);
    if (!seen.equals(told)) {
      told = seen;
      hook.slowTasks(seen);
    }
  }

  private void decide(PhaseModel phase, boolean due, long nowMillis, Steps steps) {
    if (phase.running().isEmpty() || second.objection().isPresent()) {
      return;
    }
    double now = model.seconds(nowMillis);
    Demand demand = demand(phase, now);
    for (RestartPolicy policy : tidy) {
      handle(policy.decide(phase, demand, now), nowMillis, steps);
    }
    if (due) {
      forbidCopies(phase);
      MantriRestart policy = restart.get(phase.kind());
      List<Decision> decisions = policy.decide(phase, demand, now);
      handle(offSlowMachines(decisions, policy, demand, now), nowMillis, steps);
    }
  }

  /** Forbids copies that the actuator would always refuse, because they would use up the slots. */
  private void forbidCopies(PhaseModel phase) {
    for (TaskModel task : phase.running()) {
      if (second.objection(model.id(task)).isPresent()) {
        task.forbidCopies();
      }
    }
  }

  /** Processes and logs the remaining events after the end of the job, without deciding. */
  void finish(long nowMillis, Steps steps) {
    takeIn(steps);
    model.refresh(nowMillis, steps);
    recorder.finished(nowMillis);
  }

  /** Processes the events that are queued now. Later events wait for the next pass. */
  private void takeIn(Steps steps) {
    for (int left = queue.size(); left > 0; left--) {
      DecisionThreadEvent event = queue.poll();
      if (event != null) {
        steps.run(() -> takeIn(event));
      }
    }
  }

  private void takeIn(DecisionThreadEvent event) {
    if (event instanceof DecisionThreadEvent.Report report) {
      model.reported(report);
      recorder.reported(report);
    } else if (event instanceof DecisionThreadEvent.TaskChanged changed) {
      changed(changed);
    } else if (event instanceof DecisionThreadEvent.Acted acted) {
      acted(acted);
    } else if (event instanceof DecisionThreadEvent.Avoided avoided) {
      toAvoid.remove(avoided.machine());
    } else {
      recorder.forTheLog(event);
    }
  }

  /** Updates a task. On failure the event is queued again, because no later event repeats it. */
  private void changed(DecisionThreadEvent.TaskChanged event) {
    boolean isDone = false;
    try {
      model.changed(event);
      isDone = true;
    } finally {
      if (!isDone) {
        queue.add(event);
      }
    }
  }

  private void acted(DecisionThreadEvent.Acted acted) {
    Decision decision = acted.decision();
    TaskModel task = decision.task();
    awaited.remove(task);
    if (acted.refusal() != null) {
      recorder.refused(acted);
      if (decision.action() == Action.DUPLICATE) {
        task.copyRefused();
      }
      return;
    }
    switch (decision.rule()) {
      case SAME_MACHINE -> task.moved();
      case RESTART_PAYS -> {
        AttemptModel attempt = decision.attempt().orElseThrow();
        task.restarted(attempt);
        attempt.machine().ifPresent(machine -> earlier.restarted(model.id(task), machine));
      }
      default -> {
        // copies are noted when they are decided on
      }
    }
  }

  private List<Decision> offSlowMachines(
      List<Decision> decisions, MantriRestart policy, Demand demand, double now) {
    boolean someMayBeBad = locations.isPresent() && locations.get().mayAnyBeBad();
    Predicate<String> bad = someMayBeBad ? locations.get()::mayBeBad : machine -> false;
    return (someMayBeBad || someAreDead || !slowLinked.isEmpty()) && !anyTaskWaits(now)
        ? EarlyCopies.copyWaiting(
            decisions,
            bad.or(slowLinked::contains),
            policy::mayBeCopied,
            settings.restart().leastRunSeconds(),
            demand.freeSlots().orElse(0))
        : decisions;
  }

  /** Returns whether any map or reduce waits: a reduce's copy gets a container before a map. */
  private boolean anyTaskWaits(double now) {
    return Arrays.stream(TaskKind.values())
        .anyMatch(kind -> Demand.doTasksWait(model.phase(kind), now, patience()));
  }

  private double patience() {
    return PATIENCE * Math.max(1, settings.estimator().periodSeconds());
  }

  private Demand demand(PhaseModel phase, double now) {
    boolean tasksWait = Demand.doTasksWait(phase, now, patience());
    return new Demand(
        tasksWait,
        OptionalInt.of(slots.free(phase, tasksWait, now)),
        placementHook.map(AttemptPlacementHook::successProbability).orElse(1.0));
  }

  private void handle(List<Decision> decisions, long nowMillis, Steps steps) {
    for (Decision decision : decisions) {
      steps.run(() -> handle(decision, nowMillis));
    }
  }

  /** Logs a decision and sends its action, unless the task's last one has not been answered. */
  private void handle(Decision decision, long nowMillis) {
    boolean acts = decision.action() != Action.LEAVE;
    TaskModel task = decision.task();
    if (acts && awaited.contains(task)) {
      return;
    }
    boolean fresh = recorder.decided(decision, nowMillis);
    if (acts && settings.restartMode() == Mode.ON && fresh) {
      if (decision.action() == Action.DUPLICATE) {
        task.copied(decision.at());
      }
      awaited.add(task);
      Optional<TaskAttemptId> attempt = decision.attempt().map(model::id);
      actuator.post(new Actuator.Act(decision, model.id(task), attempt));
    }
  }

  private void findSlowMachines(long nowMillis) {
    if (locations.isEmpty()) {
      return;
    }
    List<PhaseModel> phases = kinds.stream().map(model::phase).toList();
    Map<String, Double> fresh = locations.get().observe(phases, model.seconds(nowMillis));
    fresh.forEach((machine, factor) -> recorder.slowMachine(machine, factor, nowMillis));
    if (settings.restartMode() == Mode.ON) {
      toAvoid.addAll(fresh.keySet());
      earlier.slowMachines().addAll(fresh.keySet());
    }
  }

  /** Asks to avoid the slow machines, again and again, because it may not be possible at once. */
  private void keepAway() {
    TaskAttemptId any = model.anyAttempt(heardOf);
    toAvoid.forEach(machine -> actuator.post(new Actuator.KeepAway(machine, any)));
  }
}
