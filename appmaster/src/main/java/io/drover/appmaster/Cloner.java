// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.CloneRecords.Clone;
import io.drover.appmaster.CloneRecords.State;
import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.model.TaskKind;
import io.drover.speculator.AttemptBudget;
import io.drover.speculator.Breakers;
import io.drover.speculator.DroverCounter;
import io.drover.speculator.SecondAttempts;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.mapreduce.v2.api.records.JobState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverClones;

/**
 * Starts the tasks of a small job with clones, where there is room, and ends clones, the newest
 * first, as soon as other attempts of the job want the room.
 *
 * <p>Source: Dolly section 3.1 (how many, by the probability of an outlier in the cluster and on
 * the machines that a task's attempts have got), 3.2 (they give way). The room is the headroom that
 * the ResourceManager tells, less what the job itself waits for and may still want; where Drover's
 * scheduler tells how many clones there is room for, it is no more than that. Where it tells no
 * probability, a setting holds.
 *
 * <p>The life of a clone is kept in {@link CloneRecords}. A clone that is not given a container
 * within {@link CloneRecords#PATIENCE} is withdrawn: its request is cancelled and its attempt
 * killed.
 *
 * <p>Two threads: the allocator's thread computes the room in each heartbeat; the dispatcher thread
 * checks the tasks again and acts on them.
 *
 * <p>A clone is a second attempt of its task, so it is made only where the job allows Hadoop to
 * speculate, within the failures that the job allows ({@link AttemptBudget}), and never for tasks
 * whose output must not see two attempts.
 *
 * <p>An error costs one step. After several in a row no clones are made for a while, and those that
 * there are end; where it is the making that fails, they go on.
 */
public final class Cloner implements MapCopies.KnownClones {
  /** A task that has run for longer than this is not started with clones any more. */
  private static final long START_MILLIS = 5_000;

  /** What the allocator sees in a heartbeat, and does. */
  public interface Room {
    /**
     * How many more containers for attempts of a kind there is room for: in the headroom, and
     * within the number of attempts that the job allows to run at once.
     */
    int free(TaskKind kind);

    /** How many attempts that are no clones have waited so long for room that is not there. */
    int starving(Duration grace);

    /** Whether a container for the attempt has been asked for, or given. */
    boolean isAskedFor(TaskAttemptId attempt);

    /** The host of an attempt's container, if it has one. */
    Optional<String> host(TaskAttemptId attempt);

    /** Cancels the request for a clone's container, if there is one. */
    void cancel(TaskAttemptId clone);
  }

  private final Supplier<Job> jobs;
  private final Consumer<Runnable> dispatcher;
  private final CloneCounts counts;
  private final Set<TaskKind> kinds;
  private final SecondAttempts second;
  private final CloneLedger ledger;
  private final MapCopies copies;
  private final ClusterChannel cluster;
  private final Mode mode;
  private final DecisionLogSink lines;
  private final CloneRecords records = new CloneRecords();
  private final Breakers breakers;
  private final CircuitBreaker breaker;
  private final CircuitBreaker making;

  /**
   * A cloner for one job.
   *
   * @param jobs gives the job, from when it is made
   * @param dispatcher runs what it is given on the dispatcher thread
   * @param kinds the kinds of tasks that may have several attempts
   * @param budget how many attempts of a task may live at once
   * @param second whether tasks of the job may still have second attempts
   * @param copies of map outputs, whose making gives way before clones do
   * @param cluster tells how likely outliers are and how many clones there is room for
   * @param mode whether clones are made, only thought of, or not
   * @param breakers get two more
   */
  Cloner(
      Supplier<Job> jobs,
      Consumer<Runnable> dispatcher,
      CloneSettings settings,
      Set<TaskKind> kinds,
      AttemptBudget budget,
      SecondAttempts second,
      CloneLedger ledger,
      MapCopies copies,
      ClusterChannel cluster,
      Mode mode,
      DecisionLogSink lines,
      Breakers breakers) {
    this.jobs = jobs;
    this.dispatcher = dispatcher;
    this.counts = new CloneCounts(jobs, settings, budget, cluster);
    this.kinds = Set.copyOf(kinds);
    this.second = second;
    this.ledger = ledger;
    this.copies = copies;
    this.cluster = cluster;
    this.mode = mode;
    this.lines = lines.in(mode);
    this.breakers = breakers;
    // Clones end in the next heartbeat: what cancels their requests belongs to its thread.
    this.breaker = breakers.of("Cloning", DroverCounter.CLONING_OFF, () -> {});
    this.making = breakers.of("Making clones", DroverCounter.CLONING_OFF, () -> {});
  }

  @Override
  public boolean isClone(TaskAttemptId attempt) {
    return records.contains(attempt);
  }

  @Override
  public boolean isCloned(TaskId task) {
    return records.isCloned(task);
  }

  /**
   * Whether an attempt is a clone on which nobody may rely: it has no container yet, or it is about
   * to be killed.
   */
  public boolean isProvisional(TaskAttemptId attempt) {
    return records.isProvisional(attempt);
  }

  /** Which clone of its task an attempt is, from 1; 0 if it is none. */
  int number(TaskAttemptId attempt) {
    if (!isClone(attempt)) {
      return 0;
    }
    Task task = jobs.get().getTask(attempt.getTaskId());
    return (int)
        task.getAttempts().keySet().stream()
            .filter(id -> isClone(id) && id.getId() <= attempt.getId())
            .count();
  }

  /** Whether the job starts its tasks with clones, where there is room. */
  boolean isOn() {
    return mode == Mode.ON && !breaker.isOpen() && isWanted();
  }

  private boolean isWanted() {
    return mode != Mode.OFF && !kinds.isEmpty() && second.objection().isEmpty() && counts.isSmall();
  }

  @Override
  public boolean areFed(long now) {
    return isOn()
        && kinds.contains(TaskKind.REDUCE)
        && jobs.get().getTasks(TaskType.REDUCE).values().stream().anyMatch(r -> hasClone(r, now));
  }

  /** Whether a clone of a task lives, or may still be made. */
  private boolean hasClone(Task task, long now) {
    if (task.isFinished()) {
      return false;
    }
    Collection<TaskAttempt> attempts = task.getAttempts().values();
    boolean isStarting = attempts.isEmpty() || isYoung(attempts.iterator().next(), now);
    boolean starts = isStarting && counts.of(task.getID()) > 1;
    return starts
        || attempts.stream().anyMatch(a -> isClone(a.getID()) && CopyAntiAffinity.isLiving(a));
  }

  private static boolean isYoung(TaskAttempt attempt, long now) {
    return attempt.getLaunchTime() == 0 || now - attempt.getLaunchTime() < START_MILLIS;
  }

  // --- on the allocator's thread

  /** Looks at the room there is. */
  public void heartbeat(Room room, long now) {
    if (breaker.isOpen()) {
      endAll(room, "cloning is switched off after errors");
    }
    second.objection().ifPresent(why -> withdrawWaiting(room, why));
    for (Clone clone : records.openNewestFirst()) {
      if (clone.state() == State.GIVEN && room.host(clone.attempt()).isEmpty()) {
        records.ended(clone);
      }
    }
    records.overdue(now).forEach(late -> withdraw(late, room, "there was no room for it in time"));
    breaker.run(() -> look(jobs.get(), room, now));
  }

  /**
   * Ends the attempts that were held back for a second copy of a map's output, and have had their
   * time. That is due whether or not clones are made now.
   */
  public void releaseDue() {
    if (copies.isHolding()) {
      boolean runs = jobs.get().getState() == JobState.RUNNING;
      post(() -> copies.releaseDue(runs));
    }
  }

  /** One unit: a part that works must not hide one that always fails. */
  private void look(Job job, Room room, long now) {
    hearOfTheProgram();
    if (mode != Mode.OFF && !kinds.isEmpty() && counts.isSmall()) {
      round(job, room, now);
    }
  }

  private void hearOfTheProgram() {
    if (cluster.forbidsSecondAttempts()) {
      second.forbid(
          "an earlier job of the same program failed beside second attempts of its tasks");
    }
  }

  private void round(Job job, Room room, long now) {
    if (!isWanted() || cluster.isAwaited() || second.isAwaited()) {
      return;
    }
    int starving = room.starving(CloneSettings.GRACE);
    if (starving > 0) {
      post(() -> giveWay(starving));
    } else {
      kinds.forEach(kind -> start(job, kind, room, now));
    }
  }

  /** Starts clones of tasks of a kind, as far as there is room. */
  private void start(Job job, TaskKind kind, Room room, long now) {
    int free = free(kind, room);
    for (Task task : inOrder(job.getTasks(TaskKindMapping.type(kind)))) {
      if (!isStarting(task, room, now)) {
        continue;
      }
      int copies = counts.of(task, room::host);
      int missing = Math.max(0, copies - 1 - records.ever(task.getID()));
      int made = Math.min(missing, free);
      free -= made;
      for (int i = 0; i < made; i++) {
        Clone clone = records.want(task.getID(), now);
        if (mode == Mode.ON) {
          dispatcher.accept(() -> tryToMake(clone, copies));
        } else {
          records.ended(clone);
          line("clone", task.getID(), null, "a clone would have been made", copies);
        }
      }
    }
  }

  /** Hadoop's map of a job's tasks has no order. */
  private static Collection<Task> inOrder(Map<TaskId, Task> tasks) {
    return new TreeMap<>(tasks).values();
  }

  /** How many clones of a kind may be made now. */
  private int free(TaskKind kind, Room room) {
    int headroom = room.free(kind);
    OptionalInt told = cluster.cloneRoom();
    int allowed = told.isPresent() ? told.getAsInt() - records.count(State.ASKED) : headroom;
    return Math.max(0, Math.min(headroom, allowed) - records.count(State.WANTED));
  }

  private static boolean isStarting(Task task, Room room, long now) {
    if (task.isFinished() || task.getAttempts().isEmpty()) {
      return false;
    }
    TaskAttempt first = task.getAttempts().values().iterator().next();
    return isYoung(first, now) && !first.isFinished() && room.isAskedFor(first.getID());
  }

  /**
   * Nothing may be thrown on the dispatcher thread. What fails there counts among the failures of
   * the heartbeat; that it works is no sign that the heartbeat does.
   */
  private void post(Runnable work) {
    dispatcher.accept(
        () -> {
          try {
            work.run();
          } catch (Throwable cause) {
            breaker.failed(cause);
          }
        });
  }

  /**
   * A clone's attempt asks for a container.
   *
   * @return whether the ResourceManager is to be asked
   */
  public boolean asks(TaskAttemptId clone) {
    return records.asked(clone);
  }

  /**
   * Whether so many attempts of a clone's task live without it as may run at once. Clones that wait
   * are not counted: until they have a container they stand in nobody's way.
   */
  public boolean isBeyondBudget(TaskAttemptId clone) {
    Task task = jobs.get().getTask(clone.getTaskId());
    return counts.isBudgetSpent(task, attempt -> !isProvisional(attempt.getID()));
  }

  /** A clone has been given a container. */
  public void onAllocated(TaskAttemptId clone) {
    records.onAllocated(clone);
  }

  /** An attempt, a clone or not, wants its container no more, or holds it no more. */
  public void ended(TaskAttemptId attempt) {
    records.ended(attempt);
  }

  /** Ends all clones, those that wait and those that run; on the allocator's thread. */
  public void endAll(Room room, String why) {
    withdrawWaiting(room, why);
    if (records.count(State.GIVEN) > 0) {
      dispatcher.accept(() -> contained(() -> endNewest(Integer.MAX_VALUE, "Drover: " + why)));
    }
  }

  private void withdrawWaiting(Room room, String why) {
    records.waiting().forEach(clone -> contained(() -> withdraw(clone, room, why)));
  }

  /** Cancels the request of a clone that has no container, and has its attempt killed. */
  public void withdraw(TaskAttemptId clone, Room room, String why) {
    records.waiting().stream()
        .filter(waiting -> clone.equals(waiting.attempt()))
        .forEach(waiting -> withdraw(waiting, room, why));
  }

  private void withdraw(Clone clone, Room room, String why) {
    records.ended(clone);
    TaskAttemptId attempt = clone.attempt();
    if (attempt != null) {
      dispatcher.accept(() -> contained(() -> killWaiting(attempt, why)));
      room.cancel(attempt);
    }
  }

  // --- on the dispatcher thread

  /** Counted apart from the heartbeats, which go well between clones that cannot be made. */
  private void tryToMake(Clone clone, int copies) {
    if (!making.run(() -> make(clone, copies))) {
      records.notMade(clone, making.isOpen());
    }
  }

  private void make(Clone clone, int copies) {
    TaskId id = clone.task();
    Task task = jobs.get().getTask(id);
    boolean isBarred = isCommitting(task) || second.objection(id).isPresent();
    boolean mayBe = clone.state() == State.WANTED && !isBarred;
    Optional<TaskAttemptId> made = mayBe ? DroverClones.add(task) : Optional.empty();
    if (made.isEmpty()) {
      records.ended(clone);
      return;
    }
    boolean isStillWanted = records.made(clone, made.get());
    second.added(made.get());
    ledger.launched(jobs.get(), task, made.get());
    if (!isStillWanted) {
      killWaiting(made.get(), "there was no room for it in time");
    }
    line("clone", id, made.get(), "a small job, and room for a clone", copies);
  }

  private void line(String type, TaskId task, TaskAttemptId clone, String why, int copies) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("task", task);
    if (clone != null) {
      fields.put("attempt", clone);
    }
    fields.put("reason", why);
    counts.explain(task, fields);
    fields.put("copies", copies);
    lines.write(type, fields);
  }

  private static boolean isCommitting(Task task) {
    return task.getAttempts().values().stream()
        .anyMatch(
            a -> a.getState() == TaskAttemptState.COMMIT_PENDING || task.canCommit(a.getID()));
  }

  /** Ends as many clones as attempts starve, those that are of least use first, then the newest. */
  private void giveWay(int starving) {
    int ended = copies.releaseAll();
    String why = "a clone gives way to an attempt of the job that waits for room";
    endNewest(starving - ended, "Drover: " + why);
  }

  /** Ends clones that have a container, the newest first. */
  private void endNewest(int most, String why) {
    int ended = 0;
    for (Clone clone : records.openNewestFirst()) {
      if (ended < most && clone.state() == State.GIVEN) {
        contained(() -> end(clone, why));
        ended += clone.state() == State.ENDED ? 1 : 0;
      }
    }
  }

  private void end(Clone clone, String why) {
    Task task = jobs.get().getTask(clone.task());
    TaskAttempt attempt = task.getAttempt(clone.attempt());
    boolean mayEnd = isUnderWay(attempt) && !isCommitting(task) && hasElder(task, clone.attempt());
    if (mayEnd) {
      records.ended(clone);
      ExtraAttempts.kill(attempt, why); // first: a line that cannot be written keeps no clone alive
      line("cloneEnded", task.getID(), attempt.getID(), why, counts.of(task.getID()));
    }
  }

  /** Kills a clone that has no container; one that got past its withdrawal is left to the rest. */
  private void killWaiting(TaskAttemptId clone, String why) {
    TaskAttempt attempt = jobs.get().getTask(clone.getTaskId()).getAttempt(clone);
    boolean isStarting =
        attempt.getState() == TaskAttemptState.NEW
            || attempt.getState() == TaskAttemptState.STARTING;
    if (isStarting && attempt.getAssignedContainerID() == null) {
      ExtraAttempts.kill(attempt, "Drover: " + why);
      line("cloneWithdrawn", clone.getTaskId(), clone, why, counts.of(clone.getTaskId()));
    }
  }

  /** Whether an attempt that was made before the clone is under way: the last one is no clone. */
  private boolean hasElder(Task task, TaskAttemptId clone) {
    return task.getAttempts().values().stream()
        .anyMatch(
            a -> a.getID().getId() < clone.getId() && isUnderWay(a) && !isProvisional(a.getID()));
  }

  private static boolean isUnderWay(TaskAttempt attempt) {
    return switch (attempt.getState()) {
      case NEW, STARTING, RUNNING -> true;
      default -> false;
    };
  }

  /** Ending clones goes on while the breaker is open: that is what it is for. */
  private void contained(Runnable work) {
    breakers.contain("Ending clones", work);
  }
}
