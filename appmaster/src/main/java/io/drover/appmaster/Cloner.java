// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.clone.CloneSettings;
import io.drover.core.config.Mode;
import io.drover.core.model.TaskKind;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.mapreduce.v2.app.job.impl.DroverClones;
import org.apache.hadoop.yarn.event.EventHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the tasks of a small job with clones, where there is room, and ends clones, the newest
 * first, as soon as other attempts of the job want the room.
 *
 * <p>Source: Dolly section 3.1 (how many, by the probability of an outlier in the cluster and on
 * the machines that a task's attempts have got), 3.2 (they give way). The room is the headroom that
 * the ResourceManager tells, less what the job itself waits for; where Drover's scheduler tells how
 * many clones there is room for, it is no more than that. Where it tells no probability, a setting
 * holds.
 *
 * <p>Two threads: room is judged in the heartbeat, on the allocator's thread; tasks are looked at
 * again, and acted on, on the dispatcher thread.
 *
 * <p>A clone is a second attempt of its task, so it is made only where the job allows Hadoop to
 * speculate, and never for tasks whose output must not see two attempts.
 */
public final class Cloner implements MapCopies.Clones {
  private static final Logger LOG = LoggerFactory.getLogger(Cloner.class);

  /** A task that has run for longer than this is not started with clones any more. */
  private static final long START_MILLIS = 5_000;

  /** What the allocator sees in a heartbeat. */
  public interface Room {
    /** How many more containers for attempts of a kind the headroom has room for. */
    int free(TaskKind kind);

    /** How many attempts that are no clones have been waiting for room that is not there. */
    int starving();

    /** Whether a container for the attempt has been asked for, or given. */
    boolean isAskedFor(TaskAttemptId attempt);

    /** The host of an attempt's container, if it has one. */
    Optional<String> host(TaskAttemptId attempt);

    /** How many clones wait for a container. */
    int waiting();
  }

  private final Supplier<Job> jobs;
  private final Consumer<Runnable> dispatcher;
  private final CloneSettings settings;
  private final Set<TaskKind> kinds;
  private final CloneLedger ledger;
  private final MapCopies copies;
  private final ClusterChannel cluster;
  private final Mode mode;
  private final DecisionLines lines;

  /** Living clones in the order of their making; dispatcher thread. */
  private final Deque<TaskAttemptId> living = new ArrayDeque<>();

  /** All clones ever, and their tasks. */
  private final Set<TaskAttemptId> clones = ConcurrentHashMap.newKeySet();

  private final Set<TaskId> cloned = ConcurrentHashMap.newKeySet();

  /** How many clones have been asked for; allocator's thread. */
  private final Map<TaskId, Integer> asked = new HashMap<>();

  /** Clones that are to be made, and whose request the allocator has not seen yet. */
  private final AtomicInteger onTheirWay = new AtomicInteger();

  private volatile boolean off;

  /**
   * A cloner for one job.
   *
   * @param jobs gives the job, from when it is made
   * @param dispatcher runs what it is given on the dispatcher thread
   * @param kinds the kinds of tasks that may have several attempts
   * @param copies of map outputs, whose making gives way before clones do
   * @param cluster tells how likely outliers are and how many clones there is room for
   * @param mode whether clones are made, only thought of, or not
   */
  Cloner(
      Supplier<Job> jobs,
      Consumer<Runnable> dispatcher,
      CloneSettings settings,
      Set<TaskKind> kinds,
      CloneLedger ledger,
      MapCopies copies,
      ClusterChannel cluster,
      Mode mode,
      DecisionLines lines) {
    this.jobs = jobs;
    this.dispatcher = dispatcher;
    this.settings = settings;
    this.kinds = Set.copyOf(kinds);
    this.ledger = ledger;
    this.copies = copies;
    this.cluster = cluster;
    this.mode = mode;
    this.lines = lines.in(mode);
  }

  @Override
  public boolean isClone(TaskAttemptId attempt) {
    return clones.contains(attempt);
  }

  @Override
  public boolean isCloned(TaskId task) {
    return cloned.contains(task);
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

  /** Whether a job of so many tasks is one that is cloned. */
  private boolean clones(int tasks) {
    return !off
        && mode != Mode.OFF
        && !kinds.isEmpty()
        && tasks > 0
        && tasks <= settings.maxTasks();
  }

  /** Whether the job starts its tasks with clones, where there is room. */
  boolean isOn() {
    return mode == Mode.ON && clones(tasks());
  }

  private int tasks() {
    Job job = jobs.get();
    return job.getTotalMaps() + job.getTotalReduces();
  }

  /** How many tasks of the job are of a task's kind. */
  private int tasksOfItsKind(TaskId task) {
    Job job = jobs.get();
    return TaskType.MAP == task.getTaskType() ? job.getTotalMaps() : job.getTotalReduces();
  }

  /** How many attempts of a task are to start together, wherever they run. */
  private int copies(TaskId task) {
    return settings.count().ofEachTask(tasks(), tasksOfItsKind(task), outlierProbability());
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
    boolean starts = isStarting && copies(task.getID()) > 1;
    return starts || attempts.stream().anyMatch(a -> isClone(a.getID()) && CopiesApart.isLiving(a));
  }

  private static boolean isYoung(TaskAttempt attempt, long now) {
    return attempt.getLaunchTime() == 0 || now - attempt.getLaunchTime() < START_MILLIS;
  }

  // --- on the allocator's thread

  /** Looks at the room there is. */
  public void heartbeat(Room room, long now) {
    Job job = jobs.get();
    if (copies.isHolding()) {
      boolean runs = job.getState() == JobState.RUNNING;
      dispatcher.accept(guarded(() -> copies.releaseDue(runs)));
    }
    if (!clones(tasks())) {
      return;
    }
    int starving = room.starving();
    int wanted = 0;
    if (starving > 0) {
      dispatcher.accept(guarded(() -> giveWay(starving)));
    } else {
      for (TaskKind kind : kinds) {
        wanted += start(job, kind, room, now);
      }
    }
    long living = clones.stream().filter(clone -> room.host(clone).isPresent()).count();
    cluster.clones((int) living, room.waiting() + wanted);
  }

  /**
   * Starts clones of tasks of a kind.
   *
   * @return how many more would have been started if there were room
   */
  private int start(Job job, TaskKind kind, Room room, long now) {
    int wanted = 0;
    int free = free(kind, room);
    for (Task task : job.getTasks(TaskKinds.type(kind)).values()) {
      if (!isStarting(task, room, now)) {
        continue;
      }
      int copies = copies(task, room);
      int missing = Math.max(0, copies - 1 - asked.getOrDefault(task.getID(), 0));
      int made = Math.min(missing, free);
      wanted += missing - made;
      free -= made;
      asked.merge(task.getID(), made, Integer::sum);
      for (int i = 0; i < made; i++) {
        if (mode == Mode.ON) {
          onTheirWay.incrementAndGet();
          dispatcher.accept(guarded(() -> add(task.getID(), copies)));
        } else {
          line("clone", task.getID(), null, "a clone would have been made", copies);
        }
      }
    }
    return wanted;
  }

  /** How many clones of a kind may be made now. */
  private int free(TaskKind kind, Room room) {
    int headroom = room.free(kind);
    OptionalInt told = cluster.cloneRoom();
    int allowed = told.isPresent() ? told.getAsInt() - room.waiting() : headroom;
    return Math.max(0, Math.min(headroom, allowed) - onTheirWay.get());
  }

  /** How many attempts of a task are to start together, by the machines that they have so far. */
  private int copies(Task task, Room room) {
    double p = outlierProbability();
    double[] placed =
        task.getAttempts().values().stream()
            .filter(CopiesApart::isLiving)
            .flatMap(attempt -> room.host(attempt.getID()).stream())
            .mapToDouble(host -> cluster.outlierProbability(host).orElse(p))
            .toArray();
    return settings.count().ofTask(tasks(), tasksOfItsKind(task.getID()), p, placed);
  }

  private double outlierProbability() {
    return cluster.outlierProbability().orElse(settings.outlierProbability());
  }

  private static boolean isStarting(Task task, Room room, long now) {
    if (task.isFinished() || task.getAttempts().isEmpty()) {
      return false;
    }
    TaskAttempt first = task.getAttempts().values().iterator().next();
    return isYoung(first, now) && !first.isFinished() && room.isAskedFor(first.getID());
  }

  /** Nothing may be thrown on the dispatcher thread. */
  private Runnable guarded(Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (RuntimeException | LinkageError e) {
        turnOff(e);
      }
    };
  }

  /** The allocator has the request for a clone's container. */
  public void isAskedFor() {
    onTheirWay.decrementAndGet();
  }

  /** No more clones in this job. */
  public void turnOff(Throwable cause) {
    LOG.warn("Drover makes no more clones in this job", cause);
    off = true;
  }

  // --- on the dispatcher thread

  private void add(TaskId id, int copies) {
    Task task = jobs.get().getTask(id);
    Optional<TaskAttemptId> clone = isCommitting(task) ? Optional.empty() : DroverClones.add(task);
    if (clone.isEmpty()) {
      onTheirWay.decrementAndGet();
    } else {
      clones.add(clone.get());
      cloned.add(id);
      living.addLast(clone.get());
      ledger.launched(jobs.get(), task, clone.get());
      line("clone", id, clone.get(), "a small job, and room for a clone", copies);
    }
  }

  private void line(String type, TaskId task, TaskAttemptId clone, String why, int copies) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("task", task);
    if (clone != null) {
      fields.put("attempt", clone);
    }
    fields.put("reason", why);
    fields.put("tasks", tasks());
    fields.put("outlierProbability", outlierProbability());
    fields.put("eps", settings.eps());
    if (tasksOfItsKind(task) == 1) {
      fields.put("loneEps", settings.loneEps());
    }
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
    while (ended < starving && !living.isEmpty()) {
      TaskAttemptId clone = living.removeLast();
      ended += end(clone) ? 1 : 0;
    }
  }

  @SuppressWarnings("unchecked") // TaskAttemptImpl is an EventHandler<TaskAttemptEvent>
  private boolean end(TaskAttemptId clone) {
    Task task = jobs.get().getTask(clone.getTaskId());
    TaskAttempt attempt = task.getAttempt(clone);
    boolean mayEnd = isUnderWay(attempt) && !isCommitting(task) && hasElder(task, clone);
    if (mayEnd) {
      String why = "a clone gives way to an attempt of the job that waits for room";
      line("cloneEnded", task.getID(), clone, why, copies(task.getID()));
      ((EventHandler<TaskAttemptEvent>) attempt)
          .handle(new TaskAttemptKillEvent(clone, "Drover: " + why));
    }
    return mayEnd;
  }

  /** Whether an attempt that was made before the clone is under way: the last one is no clone. */
  private static boolean hasElder(Task task, TaskAttemptId clone) {
    return task.getAttempts().values().stream()
        .anyMatch(a -> a.getID().getId() < clone.getId() && isUnderWay(a));
  }

  private static boolean isUnderWay(TaskAttempt attempt) {
    return switch (attempt.getState()) {
      case NEW, STARTING, RUNNING -> true;
      default -> false;
    };
  }
}
