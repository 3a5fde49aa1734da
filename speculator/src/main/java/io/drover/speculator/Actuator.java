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
 * Carries out decisions, safely.
 *
 * <p><b>Why on the dispatcher thread, and not by an event.</b> {@code T_ADD_SPEC_ATTEMPT} to a task
 * that is NEW or SCHEDULED puts the whole job in ERROR. To look at the task's state first and then
 * post the event leaves a gap: events that were queued before it may first let the task succeed and
 * then, its output being lost, be SCHEDULED again. And an attempt that looked as if it ran may have
 * been granted its commit, or have finished, when a posted kill reaches it.
 *
 * <p>Every transition of a task or an attempt in the AppMaster happens on its one dispatcher
 * thread. So the decision travels there first, in a {@link Command} addressed to ourselves; there
 * the state is looked at again, and the event is handed to the task or attempt directly, in the
 * same call. Nothing can come between. What was queued before has then been done, and is seen; what
 * is queued behind finds a state for which stock Hadoop has a transition, since each event given
 * here is legal in the state that was checked:
 *
 * <ul>
 *   <li>a copy only to a task that is RUNNING, none of whose attempts waits for, or was granted, a
 *       commit. If the other attempt asks to commit right after, the stock rule holds: the first to
 *       ask commits, the other is killed.
 *   <li>a kill only of an attempt that is STARTING or RUNNING and was not granted a commit. A
 *       {@code TA_DONE} or {@code TA_COMMIT_PENDING} of it that is still queued is ignored by an
 *       attempt that is being killed, so it is never granted the commit afterwards. A finished map
 *       is not un-succeeded, a committing task not interrupted.
 *   <li>in the stock AppMaster a killed attempt always breeds one new one (TaskImpl's
 *       AttemptKilledTransition). There that is the wish: the restart, or the copy's next try at
 *       another machine; nothing is killed that should not be replaced. In Drover's own it breeds
 *       one only if it was the last, so there copies are pruned too, while another one runs.
 * </ul>
 */
final class Actuator {
  /** Something to be done on the dispatcher thread, on its way there. */
  abstract static class Command extends SpeculatorEvent {
    private Command(TaskId task) {
      super(task, 0); // "container needs changed by 0": routed by the task's type, harmless to all
    }

    /** Does it; on the dispatcher thread only. */
    abstract void carryOut(Actuator actuator);
  }

  /** A decision that is to be carried out. */
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

    @Override
    void carryOut(Actuator actuator) {
      actuator.act(this);
    }
  }

  /**
   * A machine that the job is to keep away from; told in the name of any attempt of the job, of a
   * type that is speculated on. Hadoop's AppMaster passes no event of the other type on.
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
   * An actuator for one AppMaster.
   *
   * @param maxCopies attempts of a task that may live at once
   * @param budget what the failures that the job allows leave of that
   * @param blacklisting what the job says of nodes that are avoided
   * @param placementHook present in an AppMaster of Drover's own
   * @param second whether tasks may have second attempts
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
   * Lets the job have no more containers on a machine; what runs there goes on.
   *
   * <p>Drover's own AppMaster does so by itself. In Hadoop's as many failures are told of the
   * machine as it takes until that is blacklisted.
   *
   * <p><b>Why the stock AppMaster keeps away only when no map waits for a container.</b> The
   * ResourceManager may give a container on the machine before it hears of this. Stock gives that
   * back and asks again, for the last one in its list of maps that want the machine; if that one
   * waits no more, for none. The ResourceManager then knows of one request fewer than there are,
   * until another map asks or is given one; if none does, a map waits for ever. Where none waits,
   * nothing can be lost; and as a map can only come to wait by events on this thread, its request
   * is behind the failures in the queue. Drover's own allocator asks again for one that does wait.
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

  /** On how many hosts the job has had attempts: so many the cluster has at least. */
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

  /** Whether an attempt has no container yet, and wants one. */
  private static boolean isWaiting(TaskAttempt attempt) {
    return isOnItsWay(attempt) && attempt.getAssignedContainerID() == null;
  }

  private static boolean isOnItsWay(TaskAttempt attempt) {
    TaskAttemptState state = attempt.getState();
    return state == TaskAttemptState.NEW || state == TaskAttemptState.STARTING;
  }

  /** Checks and carries out. */
  private void act(Act command) {
    Job job = context.getJob(command.task.getJobId());
    Task task = job.getTask(command.task);
    // A restart counts as a second attempt as well: the first one may have left something.
    Optional<String> refusal = second.objection();
    if (refusal.isEmpty()) {
      refusal = carryOut(command, job, task);
    }
    queue.add(
        new DecisionThreadEvent.Acted(
            context.getClock().getTime(), command.decision, refusal.orElse(null)));
  }

  private Optional<String> carryOut(Act command, Job job, Task task) {
    return command.decision.action() == Action.DUPLICATE
        ? duplicate(job, task)
        : kill(job, task, task.getAttempt(command.victim.orElseThrow()), command.decision);
  }

  private Optional<String> duplicate(Job job, Task task) {
    Optional<String> refusal = notOpen(task).or(() -> second.objection(task.getID()));
    if (refusal.isPresent()) {
      return refusal;
    }
    int live = 0;
    for (TaskAttempt attempt : task.getAttempts().values()) {
      if (isWaiting(attempt) && isClone(attempt.getID())) {
        continue; // it may be withdrawn at any moment, so it stands in nobody's way
      }
      live += attempt.isFinished() ? 0 : 1;
      if (isOnItsWay(attempt)) {
        return Optional.of(attempt.getID() + " of the task is on its way already");
      }
    }
    int most = budget.mostWithCopies(kind(task), maxCopies);
    if (live >= most) {
      return Optional.of("the task has " + live + " attempts already, of " + most + " at once");
    }
    Set<TaskAttemptId> before = Set.copyOf(task.getAttempts().keySet());
    send(task, new TaskEvent(task.getID(), TaskEventType.T_ADD_SPEC_ATTEMPT));
    for (TaskAttempt attempt : task.getAttempts().values()) {
      if (!before.contains(attempt.getID())) {
        wishApart(task, attempt, before);
        second.added(attempt.getID());
        ledger.copied(job, task);
        return Optional.empty();
      }
    }
    return Optional.of("the task took no further attempt");
  }

  private static TaskKind kind(Task task) {
    return task.getType() == TaskType.MAP ? TaskKind.MAP : TaskKind.REDUCE;
  }

  /**
   * A copy would ask for the very hosts that its task's other attempts asked for. Its request is
   * made by an event that is queued behind this call, so it can still leave out the ones they run
   * on.
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
      LOG.debug("loaded by another class loader than Hadoop: copies ask for any host", e);
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
      ledger.killed(job, task, decision.rule() == Rule.SAME_MACHINE);
    } else if (!hasOther(task, attempt, isOutrun)) {
      return Optional.of("no other one may take the place of " + attempt.getID());
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

  /** As core's rule has it; which of them are clones may have become known since. */
  private boolean hasNoLessClaim(TaskAttemptId other, TaskAttemptId attempt) {
    return !isClone(other) || (isClone(attempt) && other.getId() < attempt.getId());
  }

  private boolean isClone(TaskAttemptId attempt) {
    return placementHook.isPresent() && placementHook.get().isClone(attempt);
  }

  /** Why nothing may be done to a task: it does not run, or one of its attempts is committing. */
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

  @SuppressWarnings("unchecked") // TaskAttemptImpl likewise
  private static void send(TaskAttempt attempt, TaskAttemptEvent event) {
    ((EventHandler<TaskAttemptEvent>) attempt).handle(event);
  }
}
