// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.CloneRecords.Clone;
import io.drover.appmaster.CloneRecords.State;
import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.core.model.TaskKind;
import io.drover.speculator.AttemptBudget;
import io.drover.speculator.Breakers;
import io.drover.speculator.DecisionLogSink;
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
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Job;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverClones;

/**
 * Starts the tasks of a small job with clones if there is room. Ends clones, the newest first, as
 * soon as other attempts of the job want the room.
 *
 * <p>Source: Dolly section 3.1 (how many, by the probability of an outlier in the cluster and on
 * the machines of a task's attempts) and 3.2 (clones give way). The room is the headroom that the
 * ResourceManager reports, minus what the job itself waits for and may still want. If Drover's
 * scheduler says how many clones there is room for, the room is at most that. If the scheduler
 * reports no probability, a setting is used.
 *
 * <p>{@link CloneRecords} keeps the state of each clone. A clone that gets no container within
 * {@link CloneRecords#PATIENCE} is withdrawn: its request is cancelled, its attempt killed.
 *
 * <p>Two threads are involved. The allocator's thread computes the room in each heartbeat. The
 * dispatcher thread checks the tasks again and acts on them.
 *
 * <p>A clone is a second attempt of its task. So clones are made only if the job allows Hadoop to
 * speculate, only within the failures that the job allows ({@link AttemptBudget}), and never for
 * tasks whose output must not see two attempts.
 *
 * <p>An error costs one step. After several in a row, no clones are made for a while and the
 * existing ones end. If only the making of clones fails, the existing ones go on.
 */
public final class Cloner implements MapCopies.KnownClones {
  /** A task that has run longer than this is no longer started with clones. */
  private static final long START_MILLIS = 5_000;

  private static final String NOT_WORTH = "the job is expected to fail";

  /** The allocator's view in a heartbeat, and what it does for the cloner. */
  public interface Room {
    /**
     * Returns how many more containers for attempts of a kind fit into the headroom and into the
     * job's limit of running attempts.
     */
    int free(TaskKind kind);

    /**
     * Returns how many attempts that are not clones have waited too long for room, or wait because
     * clones use up the job's limit of running attempts.
     */
    int starving(Duration grace);

    /** Returns whether a container for the attempt has been requested or assigned. */
    boolean isAskedFor(TaskAttemptId attempt);

    /** Returns the host of an attempt's container, if it has one. */
    Optional<String> host(TaskAttemptId attempt);

    /** Cancels the request for a clone's container, if there is one. */
    void cancel(TaskAttemptId clone);
  }

  private final Supplier<Job> jobs;
  private final Consumer<Runnable> dispatcher;
  private final CloneCounts counts;
  private final SurplusClones surplus;
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
   * Creates the cloner of one job.
   *
   * @param jobs returns the job, once it is made
   * @param dispatcher runs work on the dispatcher thread
   * @param kinds the kinds of tasks that may have several attempts
   * @param budget limits how many attempts of a task live at once
   * @param second tells whether tasks of the job may still have second attempts
   * @param copies the copies of map outputs; attempts that are held back for them end before clones
   * @param cluster tells how likely outliers are and how many clones there is room for
   * @param mode whether clones are made, only logged, or off
   * @param breakers the job's breakers; this adds two
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
    this.surplus = new SurplusClones(jobs, counts, records);
    this.kinds = Set.copyOf(kinds);
    this.second = second;
    this.ledger = ledger;
    this.copies = copies;
    this.cluster = cluster;
    this.mode = mode;
    this.lines = lines.in(mode);
    this.breakers = breakers;
    // Clones end in the next heartbeat, because its thread must cancel their requests.
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
   * Returns whether an attempt is a clone that nobody may rely on, because it has no container yet
   * or is about to be killed.
   */
  public boolean isProvisional(TaskAttemptId attempt) {
    return records.isProvisional(attempt);
  }

  /** Returns an attempt's number among the clones of its task, from 1; 0 if it is no clone. */
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

  /** Returns whether the job starts its tasks with clones if there is room. */
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

  /** Returns whether a clone of a task lives or may still be made. */
  private boolean hasClone(Task task, long now) {
    if (task.isFinished()) {
      return false;
    }
    Collection<TaskAttempt> attempts = task.getAttempts().values();
    boolean isStarting = attempts.isEmpty() || isYoung(attempts.iterator().next(), now);
    boolean starts = isStarting && counts.of(task.getID()) > 1;
    return starts
        || attempts.stream().anyMatch(a -> isClone(a.getID()) && HadoopAttempts.isLiving(a));
  }

  private static boolean isYoung(TaskAttempt attempt, long now) {
    return attempt.getLaunchTime() == 0 || now - attempt.getLaunchTime() < START_MILLIS;
  }

  // --- on the allocator's thread

  /** Starts clones if there is room, and ends or withdraws clones that must go. */
  public void heartbeat(Room room, long now) {
    if (breaker.isOpen()) {
      endAll(room, "cloning is switched off after errors");
    }
    second.objection().ifPresent(why -> withdrawWaiting(room, why));
    records.endThoseWithoutContainer(room::host);
    records.overdue(now).forEach(late -> withdraw(late, room, "no room was free for it in time"));
    breaker.run(() -> look(jobs.get(), room, now));
  }

  /**
   * Ends the attempts that were held back for a second copy of a map's output and whose time is up.
   * This must be done even if no clones are made now.
   */
  public void releaseDue() {
    if (copies.isHolding()) {
      post(() -> copies.releaseDue(HadoopAttempts.isRunning(jobs.get())));
    }
  }

  /** Runs as one step of the breaker, so that no success hides a part that always fails. */
  private void look(Job job, Room room, long now) {
    hearOfTheProgram();
    if (mode != Mode.OFF && !kinds.isEmpty() && counts.isSmall()) {
      round(job, room, now);
    }
  }

  private void hearOfTheProgram() {
    if (cluster.forbidsSecondAttempts()) {
      second.forbid(
          "an attempt in an earlier job of the same program failed beside a second attempt");
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
    if (cluster.successProbability() < 1) {
      endThoseNotWorth(room);
    }
  }

  /** Ends clones of a job that has become unlikely to succeed, so that it needs fewer. */
  private void endThoseNotWorth(Room room) {
    for (Clone clone : records.openNewestFirst()) {
      if (clone.state() == State.GIVEN) {
        post(() -> surplus.ifNotNeeded(clone, () -> end(clone, "Drover: " + NOT_WORTH)));
      } else if (surplus.isTooMany(clone)) {
        withdraw(clone, room, NOT_WORTH);
      }
    }
  }

  /** Starts clones of the tasks of a kind as far as there is room. */
  private void start(Job job, TaskKind kind, Room room, long now) {
    int free = free(kind, room);
    Map<TaskId, Task> byNumber = new TreeMap<>(job.getTasks(TaskKindMapping.type(kind)));
    for (Task task : byNumber.values()) { // Hadoop's map has no order
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

  /** Returns how many clones of a kind may be made now. */
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
   * Runs work on the dispatcher thread, where nothing may be thrown. A failure there counts as one
   * of the heartbeat. A success does not count, because it does not show that the heartbeat works.
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
   * Notes that a clone's attempt asks for a container.
   *
   * @return whether to send the request to the ResourceManager
   */
  public boolean asks(TaskAttemptId clone) {
    return records.asked(clone);
  }

  /**
   * Returns whether the other attempts of a clone's task already use up its budget. Clones that
   * wait are not counted, because they are in nobody's way until they have a container.
   */
  public boolean isBeyondBudget(TaskAttemptId clone) {
    Task task = jobs.get().getTask(clone.getTaskId());
    return counts.isBudgetSpent(task, attempt -> !isProvisional(attempt.getID()));
  }

  /** Notes that a clone has been given a container. */
  public void onAllocated(TaskAttemptId clone) {
    records.onAllocated(clone);
  }

  /** Notes that an attempt, a clone or not, no longer wants or holds a container. */
  public void ended(TaskAttemptId attempt) {
    records.ended(attempt);
  }

  /** Ends all waiting and running clones. Runs on the allocator's thread. */
  public void endAll(Room room, String why) {
    withdrawWaiting(room, why);
    if (records.count(State.GIVEN) > 0) {
      dispatcher.accept(() -> contained(() -> endNewest(Integer.MAX_VALUE, "Drover: " + why)));
    }
  }

  private void withdrawWaiting(Room room, String why) {
    records.waiting().forEach(clone -> contained(() -> withdraw(clone, room, why)));
  }

  /** Cancels the request of a clone that has no container, and kills its attempt. */
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

  /** Makes a clone, with its own breaker, because heartbeats succeed between clones that fail. */
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
      killWaiting(made.get(), "no room was free for it in time");
    }
    line("clone", id, made.get(), "the job is small, and there is room for a clone", copies);
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

  /** Makes room for starving attempts: ends attempts held back for copies, then new clones. */
  private void giveWay(int starving) {
    int ended = copies.releaseAll();
    String why = "the clone gives way to an attempt of its job that waits for room";
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
      HadoopAttempts.kill(attempt, why); // first, because writing the line may fail
      line("cloneEnded", task.getID(), attempt.getID(), why, counts.of(task.getID()));
    }
  }

  /** Kills a clone that has no container. One that has got a container meanwhile is left alone. */
  private void killWaiting(TaskAttemptId clone, String why) {
    TaskAttempt attempt = jobs.get().getTask(clone.getTaskId()).getAttempt(clone);
    boolean isStarting =
        attempt.getState() == TaskAttemptState.NEW
            || attempt.getState() == TaskAttemptState.STARTING;
    if (isStarting && attempt.getAssignedContainerID() == null) {
      HadoopAttempts.kill(attempt, "Drover: " + why);
      line("cloneWithdrawn", clone.getTaskId(), clone, why, counts.of(clone.getTaskId()));
    }
  }

  /** Returns whether an older attempt is under way. If not, the clone must go on. */
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

  /** Contains errors without the breaker, because clones must end even while it is open. */
  private void contained(Runnable work) {
    breakers.contain("Ending clones", work);
  }
}
