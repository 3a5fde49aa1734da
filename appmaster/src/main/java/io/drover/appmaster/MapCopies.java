// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.appmaster.attempts.HadoopAttempts;
import io.drover.core.clone.DelayAssignment;
import io.drover.core.config.Mode;
import io.drover.core.containment.CircuitBreaker;
import io.drover.speculator.Breakers;
import io.drover.speculator.DecisionLogSink;
import io.drover.speculator.DroverCounter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.mapred.TaskCompletionEvent;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptState;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.app.job.TaskAttempt;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobEventType;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobTaskAttemptFetchFailureEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.JobUpdatedNodesEvent;
import org.apache.hadoop.mapreduce.v2.app.job.event.TaskAttemptKillEvent;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.util.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manages the copies of map outputs that clones of maps make: which attempt may go on for a while
 * after another one of its task has succeeded, and which copies there are besides Hadoop's.
 *
 * <p>{@link DelayAssignment} has the rule. An attempt whose kill is held back is ended after omega
 * at the latest. It is ended earlier if no clone of a reduce is left to feed or may still be made,
 * if the job wants room, or if the job ends. A copy is dropped at the first trouble with it, a
 * failed fetch or the loss of its node, because Hadoop looks after the first copy only.
 *
 * <p>All state is written on the dispatcher thread. {@link CompletionStreams} reads only immutable
 * objects and the states of attempts on other threads.
 */
public final class MapCopies {
  private static final Logger LOG = LoggerFactory.getLogger(MapCopies.class);

  /** What this class needs to know about the clones of a job. */
  interface KnownClones {
    /** Returns whether an attempt was made as a clone. */
    boolean isClone(TaskAttemptId attempt);

    /** Returns whether a task was ever given a clone. */
    boolean isCloned(TaskId task);

    /** Returns whether clones of reduces live or may still be made. */
    boolean areFed(long now);
  }

  /** A copy of a map's output, and the event that announces it to reduces. */
  record Copy(TaskAttempt attempt, TaskCompletionEvent completion) {
    boolean lives() {
      return attempt.getState() == TaskAttemptState.SUCCEEDED;
    }
  }

  private record Held(TaskAttempt sibling, TaskAttemptKillEvent kill) {
    boolean mayStillSucceed() {
      TaskAttemptState state = sibling.getState();
      return state == TaskAttemptState.RUNNING || state == TaskAttemptState.SUCCEEDED;
    }
  }

  /**
   * The copies of one map's output: the first one, how long others are awaited, the attempts that
   * are held back for that, and the further copies.
   */
  private record Output(TaskAttemptId first, long deadline, List<Held> held, List<Copy> spare) {
    Output with(List<Held> newHeld, List<Copy> newSpare) {
      return new Output(first, deadline, List.copyOf(newHeld), List.copyOf(newSpare));
    }
  }

  private final DelayAssignment rule;
  private final Supplier<KnownClones> clones;
  private final Clock clock;
  private final Supplier<Long> started;
  private final DecisionLogSink lines;
  private final Map<TaskId, Output> outputs = new ConcurrentHashMap<>();
  private final AttemptReports reports;
  private final CircuitBreaker breaker;

  /**
   * Creates the copies of one job's map outputs.
   *
   * @param rule when to wait; one that never waits switches second copies off
   * @param clones returns the job's clones, once it has any
   * @param reports estimate when an attempt ends
   * @param started returns when the AppMaster was started, on the given clock
   * @param breakers the job's breakers; while the one that this adds is open, no copy is awaited
   */
  MapCopies(
      DelayAssignment rule,
      Supplier<KnownClones> clones,
      AttemptReports reports,
      Clock clock,
      Supplier<Long> started,
      DecisionLogSink lines,
      Breakers breakers) {
    this.breaker =
        breakers.of("Second copies of map outputs", DroverCounter.MAP_COPIES_OFF, this::releaseAll);
    this.rule = rule;
    this.clones = clones;
    this.reports = reports;
    this.clock = clock;
    this.started = started;
    this.lines = lines.in(Mode.ON);
  }

  /** Returns whether second copies are made, unless something goes wrong. */
  public boolean isOn() {
    return rule.waits();
  }

  // --- on the dispatcher thread; nothing is thrown there

  /**
   * Returns whether a kill is held back that Hadoop sends to an attempt because another one has
   * succeeded first. If so, this object ends the attempt later.
   *
   * @param map the task that is about to kill it
   * @param first the attempt that has succeeded
   */
  public boolean holdsBack(Task map, TaskAttemptId first, TaskAttemptKillEvent kill) {
    return isOn() && breaker.call(() -> hold(map, first, kill), false);
  }

  private boolean hold(Task map, TaskAttemptId first, TaskAttemptKillEvent kill) {
    long now = clock.getTime();
    TaskAttempt sibling = map.getAttempt(kill.getTaskAttemptID());
    if (!isOfClonedTask(map, sibling) || !clones.get().areFed(now)) {
      return false;
    }
    long omega = rule.omegaMillis(now - started.get());
    Output output =
        outputs.computeIfAbsent(
            map.getID(), id -> new Output(first, now + omega, List.of(), List.of()));
    double end = reports.expectedEnd(sibling, map.getAttempt(first));
    boolean inTime = end <= output.deadline;
    if (!inTime || !output.first.equals(first)) { // a map waits only once
      return false;
    }
    List<Held> held = new ArrayList<>(output.held);
    held.add(new Held(sibling, kill));
    outputs.put(map.getID(), output.with(held, output.spare));
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("task", map.getID());
    fields.put("attempt", sibling.getID());
    fields.put("first", first);
    fields.put("tRem", Math.max(0, end - now) / 1e3);
    fields.put("omega", omega / 1e3);
    fields.put("reason", "another copy of the output is expected within omega");
    lines.write("copyAwaited", fields);
    return true;
  }

  /** Returns whether an attempt is a clone or a task's original; a speculator's copies are not. */
  private boolean isOfClonedTask(Task map, TaskAttempt sibling) {
    KnownClones known = clones.get();
    TaskAttemptId original = map.getAttempts().keySet().iterator().next();
    return known.isCloned(map.getID())
        && (known.isClone(sibling.getID()) || sibling.getID().equals(original));
  }

  /** Adds the output of an attempt that succeeded after another attempt of its map. */
  public void succeeded(TaskAttempt attempt, TaskCompletionEvent completion) {
    contained(() -> addCopy(attempt, completion));
  }

  private void addCopy(TaskAttempt attempt, TaskCompletionEvent completion) {
    TaskId map = attempt.getID().getTaskId();
    Output output = outputs.get(map);
    Copy copy = new Copy(attempt, completion);
    if (output != null && copy.lives() && output.held.stream().anyMatch(is(attempt.getID()))) {
      List<Copy> spare = new ArrayList<>(output.spare);
      spare.add(copy);
      outputs.put(
          map,
          output.with(output.held.stream().filter(is(attempt.getID()).negate()).toList(), spare));
    }
  }

  private static Predicate<Held> is(TaskAttemptId attempt) {
    return held -> held.sibling.getID().equals(attempt);
  }

  /** Returns a living copy of a map's output that can become Hadoop's first one. */
  public Optional<TaskAttempt> spare(TaskId map) {
    List<TaskAttempt> spare = new ArrayList<>();
    contained(() -> living(map).forEach(copy -> spare.add(copy.attempt())));
    return spare.stream().findFirst();
  }

  /**
   * Notes that the first copy of a map's output is lost. The task manages its attempts itself
   * again; none is ended from here. The {@link #spare} copy, if there is one, becomes the first.
   */
  public void lost(TaskId map) {
    contained(
        () -> {
          List<Copy> living = living(map);
          outputs.computeIfPresent(
              map,
              (id, output) ->
                  output.with(
                      List.of(), living.subList(Math.min(1, living.size()), living.size())));
        });
  }

  /** Lets a dispatcher call this with the job's events, after the job itself. */
  void register(Dispatcher dispatcher) {
    if (isOn()) {
      EventHandler<JobEvent> observes = this::observe;
      dispatcher.register(JobEventType.class, observes);
    }
  }

  /** Drops the copies that may be lost by an event of the job. */
  void observe(JobEvent event) {
    contained(
        () -> {
          if (event instanceof JobTaskAttemptFetchFailureEvent failure) {
            drop(
                "a reduce could not fetch it",
                copy -> failure.getMaps().contains(copy.attempt.getID()));
          } else if (event instanceof JobUpdatedNodesEvent nodes) {
            drop("its node is unusable", copy -> isUnusable(nodes, copy.attempt));
          }
        });
  }

  private static boolean isUnusable(JobUpdatedNodesEvent nodes, TaskAttempt attempt) {
    for (NodeReport node : nodes.getUpdatedNodes()) {
      if (node.getNodeState().isUnusable() && node.getNodeId().equals(attempt.getNodeId())) {
        return true;
      }
    }
    return false;
  }

  private void drop(String why, Predicate<Copy> which) {
    outputs.forEach(
        (map, output) -> {
          List<Copy> dropped = output.spare.stream().filter(which).toList();
          if (!dropped.isEmpty()) {
            outputs.put(
                map,
                output.with(output.held, output.spare.stream().filter(which.negate()).toList()));
          }
          for (Copy copy : dropped) {
            LOG.info("{} is dropped as a copy of its map's output: {}", copy.attempt.getID(), why);
            HadoopAttempts.kill(copy.attempt, "Drover: " + why);
          }
        });
  }

  // --- ending attempts that were held back

  /** Returns whether any attempt is held back, so that it must be ended some time. */
  boolean isHolding() {
    return outputs.values().stream().anyMatch(output -> !output.held.isEmpty());
  }

  /**
   * Ends the held-back attempts whose time is up, or all if nothing needs them or the breaker is
   * open.
   *
   * @param jobRuns whether the job runs; if not, nothing needs them
   */
  void releaseDue(boolean jobRuns) {
    contained(
        () -> {
          long now = clock.getTime();
          boolean all = breaker.isOpen() || !jobRuns || !clones.get().areFed(now);
          outputs.forEach(
              (map, output) -> {
                if (all || now >= output.deadline) {
                  release(map);
                }
              });
        });
  }

  /**
   * Ends all attempts that are held back.
   *
   * @return how many attempts
   */
  int releaseAll() {
    return outputs.keySet().stream().mapToInt(this::release).sum();
  }

  /**
   * Ends the attempts of a map that are held back. One that has succeeded, but whose task has not
   * heard of it yet, is left to become a copy.
   *
   * @return how many attempts
   */
  public int release(TaskId map) {
    int[] ended = new int[1];
    contained(() -> ended[0] = endHeld(map));
    return ended[0];
  }

  private int endHeld(TaskId map) {
    Output output = outputs.get(map);
    if (output == null) {
      return 0;
    }
    List<Held> open = output.held.stream().filter(h -> HadoopAttempts.isLiving(h.sibling)).toList();
    List<Held> rest =
        output.held.stream()
            .filter(h -> h.sibling.getState() == TaskAttemptState.SUCCEEDED)
            .toList();
    outputs.put(map, output.with(rest, output.spare));
    open.forEach(held -> HadoopAttempts.handle(held.sibling, held.kill));
    return open.size();
  }

  /** Does what must be done even if no further copy is awaited, so that existing ones end. */
  private void contained(Runnable work) {
    try {
      work.run();
    } catch (Throwable cause) {
      breaker.failed(cause); // which rethrows it if the JVM cannot go on
    }
  }

  // --- on any thread

  /** Returns the living copies of a map's output that Hadoop does not know, the earliest first. */
  List<Copy> living(TaskId map) {
    Output output = outputs.get(map);
    return output == null ? List.of() : output.spare.stream().filter(Copy::lives).toList();
  }

  /** Returns whether another copy of a map's output is expected and worth waiting for. */
  boolean isExpected(TaskId map, long now) {
    Output output = outputs.get(map);
    return !breaker.isOpen()
        && output != null
        && now < output.deadline
        && output.held.stream().anyMatch(Held::mayStillSucceed);
  }
}
