// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import io.drover.core.model.Decision;
import io.drover.core.model.Decision.Action;
import io.drover.core.model.Rule;
import io.drover.core.model.TaskKind;
import java.util.Collection;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskEventType;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverLocality;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerFailedEvent;
import org.apache.hadoop.mapreduce.v2.app.speculate.SpeculatorEvent;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.event.EventHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out decisions safely.
 *
 * <p><b>Why on the dispatcher thread, and not by an event.</b> A {@code T_ADD_SPEC_ATTEMPT} event
 * to a task that is NEW or SCHEDULED puts the whole job in ERROR. Checking the task's state first
 * and then posting the event leaves a gap: events that were queued earlier may let the task succeed
 * and then, because its output is lost, be SCHEDULED again. An attempt that seemed to be running
 * may have been granted its commit, or may have finished, when a posted kill reaches it.
 *
 * <p>Every state transition of a task or attempt happens on the AppMaster's single dispatcher
 * thread. So the decision first travels there, in a {@link Command} addressed to this speculator.
 * There the state is checked again, and the event is handed to the task or attempt directly, in the
 * same call, so that nothing can happen in between. Events that were queued before have been
 * handled by then. Events that are queued behind find a state for which stock Hadoop has a
 * transition, because each event given here is legal in the checked state:
 *
 * <ul>
 *   <li>A copy is added only to a task that is RUNNING, and only if no attempt of it waits for a
 *       commit or was granted one. If the other attempt asks to commit right afterwards, the stock
 *       rule holds: the first to ask commits, and the other is killed.
 *   <li>An attempt is killed only if it is STARTING or RUNNING and was not granted a commit. An
 *       attempt that is being killed ignores a {@code TA_DONE} or {@code TA_COMMIT_PENDING} that is
 *       still queued, so it is never granted the commit afterwards. A finished map is never killed,
 *       and a committing task is never interrupted.
 *   <li>In the stock AppMaster a killed attempt is always replaced by a new one (TaskImpl's
 *       AttemptKilledTransition). There the new attempt is the restart, or the copy's next try on
 *       another machine; nothing is killed that should not be replaced. In Drover's AppMaster a
 *       killed attempt is replaced only if it was the last one, so there Drover also prunes copies
 *       while another one runs.
 * </ul>
 */
final class Actuator {
  /** An action on its way to the dispatcher thread. */
  abstract static class Command extends SpeculatorEvent {
    private Command(TaskId task) {
      super(task, 0); // "container needs changed by 0" is routed by the task's type, and harmless
    }

    /** Performs the action. Only the dispatcher thread may call this. */
    abstract void carryOut(Actuator actuator);
  }

  /** Carries out a decision. */
  static final class Act extends Command {
    private final Decision decision;
    private final TaskId task;
    private final Optional<TaskAttemptId> victim;

    Act(Decision decision, TaskId task, Optional<TaskAttemptId> victim) {
      super(task);
      this.decision = decision;
      this.task = task;
      this.victim = victim;
    }

    Decision decision() {
      return decision;
    }

    @Override
    void carryOut(Actuator actuator) {
      actuator.act(this);
    }
  }

  /**
   * Makes the job avoid a machine. It names any attempt of a type that is speculated on, because
   * Hadoop's AppMaster does not pass on events of the other type.
   */
  static final class KeepAway extends Command {
    private final String machine;
    private final TaskAttemptId any;

    KeepAway(String machine, TaskAttemptId any) {
      super(any.getTaskId());
      this.machine = machine;
      this.any = any;
    }

    @Override
    void carryOut(Actuator actuator) {
      actuator.keepAway(machine, any);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(Actuator.class);

  private final AppContext context;
  private final int maxCopies;
  private final AttemptBudget budget;
  private final NodeBlacklisting blacklisting;
  private final CopyLedger ledger;
  private final DecisionThreadQueue queue;
  private final Optional<AttemptPlacementHook> placementHook;
  private final SecondAttempts second;
  private final Set<String> avoided = new HashSet<>();

  /**
   * Creates an actuator for one AppMaster.
   *
   * @param maxCopies how many attempts of a task may be live at once
   * @param budget reduces that number if the job allows few failures
   * @param blacklisting the job's settings for avoiding nodes
   * @param placementHook present in Drover's AppMaster
   * @param second tells whether tasks may have second attempts
   */
  Actuator(
      AppContext context,
      int maxCopies,
      AttemptBudget budget,
      NodeBlacklisting blacklisting,
      CopyLedger ledger,
      DecisionThreadQueue queue,
      Optional<AttemptPlacementHook> placementHook,
      SecondAttempts second) {
    this.context = context;
    this.maxCopies = maxCopies;
    this.budget = budget;
    this.blacklisting = blacklisting;
    this.ledger = ledger;
    this.queue = queue;
    this.placementHook = placementHook;
    this.second = second;
  }

  /** Sends a command to the dispatcher thread; any thread may call this. */
  void post(Command command) {
    context.getEventHandler().handle(command);
  }

  /**
   * Keeps the job from getting more containers on a machine. Attempts that run there go on.
   *
   * <p>Drover's AppMaster does this itself. In Hadoop's, the actuator reports as many failures on
   * the machine as it takes until Hadoop blacklists it.
   *
   * <p><b>Why the stock AppMaster avoids a machine only while no map waits for a container.</b> The
   * ResourceManager may allocate a container on the machine before it learns of the blacklist.
   * Stock returns that container and asks again for the last one in its list of maps that want the
   * machine; if that map is no longer waiting, it does not ask again. Then the ResourceManager
   * knows one request too few until another map asks or gets a container; if none does, a map waits
   * forever. While no map waits, no request can be lost. A map begins to wait only through events
   * on this thread, so its request is queued behind the failures. Drover's allocator always asks
   * again for a map that is waiting.
   */
  private void keepAway(String machine, TaskAttemptId any) {
    Job job = context.getJob(any.getTaskId().getJobId());
    if (avoided.contains(machine)) {
      queue.add(
          new DecisionThreadEvent.Avoided(
              context.getClock().getTime(), machine)); // a new model asks again
      return;
    }
    boolean isAvoided =
        placementHook.isPresent()
            ? placementHook.get().avoid(machine)
            : avoidByFailures(job, machine, any);
    if (isAvoided) {
      avoided.add(machine);
      JobCounters.add(job, DroverCounter.MACHINES_AVOIDED, 1);
      queue.add(new DecisionThreadEvent.Avoided(context.getClock().getTime(), machine));
    }
  }

  private boolean avoidByFailures(Job job, String machine, TaskAttemptId any) {
    if (isAnyMapWaiting(job) || !blacklisting.allowsOneMore(avoided.size(), hosts(job))) {
      return false;
    }
    for (int i = 0; i < blacklisting.failures(); i++) {
      context.getEventHandler().handle(new ContainerFailedEvent(any, machine + ":0"));
    }
    return true;
  }

  /** Returns on how many hosts the job has had attempts. The cluster has at least as many. */
  private static int hosts(Job job) {
    return (int)
        job.getTasks().values().stream()
            .flatMap(task -> task.getAttempts().values().stream())
            .map(TaskAttempt::getNodeId)
            .filter(Objects::nonNull)
            .map(NodeId::getHost)
            .distinct()
            .count();
  }

  private static boolean isAnyMapWaiting(Job job) {
    return job.getTasks(TaskType.MAP).values().stream()
        .flatMap(map -> map.getAttempts().values().stream())
        .anyMatch(Actuator::isWaiting);
  }

  /** Returns whether an attempt waits for a container. */
  private static boolean isWaiting(TaskAttempt attempt) {
    return isOnItsWay(attempt) && attempt.getAssignedContainerID() == null;
  }

  private static boolean isOnItsWay(TaskAttempt attempt) {
    TaskAttemptState state = attempt.getState();
    return state == TaskAttemptState.NEW || state == TaskAttemptState.STARTING;
  }

  private void act(Act command) {
    Job job = context.getJob(command.task.getJobId());
    Task task = job.getTask(command.task);
    int attempts = task.getAttempts().size();
    Optional<String> refusal = Optional.of("it failed");
    try {
      // A restart is a second attempt, too: the first one may have left something behind.
      refusal = second.objection().or(() -> carryOut(command, job, task));
    } finally {
      boolean isAdded = task.getAttempts().size() > attempts; // even if what followed has failed
      queue.add(
          new DecisionThreadEvent.Acted(
              context.getClock().getTime(),
              command.decision,
              isAdded ? null : refusal.orElse(null)));
    }
  }

  private Optional<String> carryOut(Act command, Job job, Task task) {
    return command.decision.action() == Action.DUPLICATE
        ? duplicate(job, task, command.decision)
        : kill(job, task, task.getAttempt(command.victim.orElseThrow()), command.decision);
  }

  private Optional<String> duplicate(Job job, Task task, Decision decision) {
    Optional<String> refusal = notOpen(task).or(() -> second.objection(task.getID()));
    if (refusal.isPresent()) {
      return refusal;
    }
    int live = 0;
    for (TaskAttempt attempt : task.getAttempts().values()) {
      if (isWaiting(attempt) && isClone(attempt.getID())) {
        continue; // it may be withdrawn at any moment, so it does not count
      }
      live += attempt.isFinished() ? 0 : 1;
      if (isOnItsWay(attempt)) {
        return Optional.of(attempt.getID() + " of the same task is already starting");
      }
    }
    int most = budget.mostWithCopies(kind(task), maxCopies);
    if (live >= most) {
      return Optional.of("the task has " + live + " of at most " + most + " attempts already");
    }
    Set<TaskAttemptId> before = Set.copyOf(task.getAttempts().keySet());
    send(task, new TaskEvent(task.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
    for (TaskAttempt attempt : task.getAttempts().values()) {
      if (!before.contains(attempt.getID())) {
        second.added(attempt.getID());
        wishApart(task, attempt, before);
        ledger.copied(job, task, decision.evidence(), context.getClock().getTime());
        return Optional.empty();
      }
    }
    return Optional.of("the task did not add an attempt");
  }

  private static TaskKind kind(Task task) {
    return task.getType() == TaskType.MAP ? TaskKind.MAP : TaskKind.REDUCE;
  }

  /**
   * Removes the hosts of the task's other attempts from those for which a copy will ask. It would
   * ask for the same hosts as they did. Its request is still queued as an event behind this call.
   */
  private static void wishApart(Task task, TaskAttempt copy, Set<TaskAttemptId> others) {
    try {
      for (TaskAttemptId other : others) {
        NodeId node = task.getAttempt(other).getNodeId();
        if (node != null) {
          DroverLocality.avoid(copy, node.getHost());
        }
      }
    } catch (IllegalAccessError e) {
      LOG.debug("not loaded by the class loader of Hadoop: copies may ask for any host", e);
    }
  }

  private Optional<String> kill(Job job, Task task, TaskAttempt attempt, Decision decision) {
    Optional<String> refusal = notOpen(task);
    if (refusal.isPresent()) {
      return refusal;
    }
    TaskAttemptState state = attempt.getState();
    if (state != TaskAttemptState.RUNNING && state != TaskAttemptState.STARTING) {
      return Optional.of(attempt.getID() + " is " + state);
    }
    boolean isOutrun = decision.rule() == Rule.SLOWER_ATTEMPT;
    if (decision.action() == Action.KILL_AND_RESTART) {
      placementHook.ifPresent(h -> h.flees(attempt.getID()));
      second.restarted(task.getID());
      long now = context.getClock().getTime();
      if (decision.rule() == Rule.SAME_MACHINE) {
        ledger.moved(job, task, now);
      } else {
        ledger.restarted(job, task, decision.evidence(), now);
      }
    } else if (!hasOther(task, attempt, isOutrun)) {
      return Optional.of("no other attempt can replace " + attempt.getID());
    } else {
      second.endedAsSlower(attempt.getID());
    }
    if (isOutrun) {
      double remaining = decision.evidence().remaining().orElseThrow();
      placementHook.ifPresent(h -> h.endedAsSlower(attempt.getID(), remaining));
      JobCounters.add(job, DroverCounter.SLOWER_ATTEMPT, 1);
    }
    String why = "Drover: " + decision.explain();
    send(attempt, new TaskAttemptKillEvent(attempt.getID(), why, true));
    return Optional.empty();
  }

  private boolean hasOther(Task task, TaskAttempt attempt, boolean isOutrun) {
    return task.getAttempts().values().stream()
        .filter(other -> other != attempt && other.getState() == TaskAttemptState.RUNNING)
        .anyMatch(other -> !isOutrun || hasNoLessClaim(other.getID(), attempt.getID()));
  }

  /** Checks the condition of {@code SlowerAttemptRule} again, as clones may be known only now. */
  private boolean hasNoLessClaim(TaskAttemptId other, TaskAttemptId attempt) {
    return !isClone(other) || (isClone(attempt) && other.getId() < attempt.getId());
  }

  private boolean isClone(TaskAttemptId attempt) {
    return placementHook.isPresent() && placementHook.get().isClone(attempt);
  }

  /** Returns why a task must be left alone: it is not running, or an attempt commits or is done. */
  private static Optional<String> notOpen(Task task) {
    if (task.getState() != TaskState.RUNNING) {
      return Optional.of("the task is " + task.getState());
    }
    Collection<TaskAttempt> attempts = task.getAttempts().values();
    for (TaskAttempt attempt : attempts) {
      boolean waits = attempt.getState() == TaskAttemptState.COMMIT_PENDING;
      boolean finished = attempt.getState() == TaskAttemptState.SUCCEEDED;
      if (waits || finished || task.canCommit(attempt.getID())) {
        return Optional.of(attempt.getID() + " is committing or done");
      }
    }
    return Optional.empty();
  }

  @SuppressWarnings("unchecked") // TaskImpl is an EventHandler<TaskEvent>; Task does not say so
  private static void send(Task task, TaskEvent event) {
    ((EventHandler<TaskEvent>) task).handle(event);
  }

  @SuppressWarnings("unchecked") // TaskAttemptImpl is an EventHandler<TaskAttemptEvent>
  private static void send(TaskAttempt attempt, TaskAttemptEvent event) {
    ((EventHandler<TaskAttemptEvent>) attempt).handle(event);
  }
}
