// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.commons.math3.stat.descriptive.rank.PSquarePercentile;

/**
 * The model of one phase of one job: its tasks, and what they have shown so far: how long a unit of
 * input takes, how long each sub-phase and the wrap-up take, how long a new attempt waits until it
 * is first heard of.
 *
 * <p>A unit of input is a byte where the size of every task that was asked about is known, and one
 * whole task where it is not (generators, compressed or non-splittable inputs whose length says
 * nothing).
 */
public final class PhaseModel {
  /**
   * So many reports of an attempt must be missing, while its peers are heard of, before it counts
   * as stopped. One may be late by a pause of its process; a second pause as long that begins just
   * then is rare, and each more would cost its job a period.
   */
  private static final int MISSING_REPORTS = 2;

  private final TaskKind kind;
  private final EstimatorSettings settings;
  private final List<TaskModel> tasks = new ArrayList<>();
  private final List<TaskModel> running = new ArrayList<>();
  private final double period;
  private final RunningMean[] gaps = new RunningMean[SubPhase.COUNT];
  private final Durations[] durations = new Durations[SubPhase.COUNT];
  private final PSquarePercentile wrapUp = new PSquarePercentile(50);
  private final SchedulingLag lag;
  private final CorrelatedStall correlatedStall = new CorrelatedStall(this);
  private long reports;
  private final Map<String, Integer> machineNumbers = new HashMap<>();
  private final List<AttemptModel> lastHeard = new ArrayList<>();

  private int done;
  private int pending;
  private int sized;
  private double sizedBytes;
  private long sizeChanges;
  private boolean bytesMislead;
  private boolean inputsReady;

  /** A phase without tasks yet, that learns its scheduling lag by itself. */
  public PhaseModel(TaskKind kind, EstimatorSettings settings) {
    this(kind, settings, new SchedulingLag());
  }

  /**
   * A phase without tasks yet.
   *
   * @param lag what is known of the scheduling lag; the phases of a job share it
   */
  public PhaseModel(TaskKind kind, EstimatorSettings settings, SchedulingLag lag) {
    this.kind = kind;
    this.settings = settings;
    this.lag = lag;
    this.period = settings.periodSeconds();
    Arrays.setAll(gaps, i -> new RunningMean());
    Arrays.setAll(durations, i -> new Durations(this));
    this.inputsReady = kind == TaskKind.MAP;
  }

  /** Adds a task of unknown size; its index is the number of tasks before it. */
  public TaskModel addTask() {
    TaskModel task = new TaskModel(this, tasks.size());
    tasks.add(task);
    return task;
  }

  /** Adds a task that has {@code inputBytes} to process; 0 or less if that is not known. */
  public TaskModel addTask(long inputBytes) {
    TaskModel task = addTask();
    task.inputBytes(inputBytes);
    return task;
  }

  /**
   * All that the phase reads exists since {@code at}: for reduces, when the last map is done. From
   * then on the pace of those that fetch is their own, so it is measured anew.
   */
  public void inputsReady(double at) {
    if (inputsReady) {
      return;
    }
    inputsReady = true;
    for (TaskModel task : running) {
      for (AttemptModel attempt : task.attempts()) {
        attempt.inputsReady(at);
      }
    }
  }

  /** An input of the phase was lost and is being made again. */
  public void inputsNotReady() {
    inputsReady = false;
  }

  /** Whether all that the phase reads exists: if not, tasks may be waiting for it. */
  public boolean inputsAreReady() {
    return inputsReady;
  }

  // --- what attempts tell

  void progressGap(SubPhase subPhase, double seconds) {
    if (subPhase != SubPhase.SHUFFLE || inputsReady) {
      gaps[subPhase.ordinal()].add(seconds);
    }
  }

  /** The bytes read by some attempt were found to say nothing of its progress. */
  void bytesMislead() {
    bytesMislead = true;
  }

  boolean doBytesMislead() {
    return bytesMislead;
  }

  /** The machine's number among those of the phase: 0, 1, 2… by first use. */
  int numberOf(String machine) {
    Integer known = machineNumbers.putIfAbsent(machine, machineNumbers.size());
    if (known == null) {
      lastHeard.add(null);
    }
    return known == null ? lastHeard.size() - 1 : known;
  }

  void pendingChanged(int by) {
    pending += by;
  }

  /** Whether tasks have been asked for that no attempt of theirs runs for. */
  boolean hasPending() {
    return pending > 0;
  }

  /** An attempt left its present sub-phase, for a later one, at {@code at}. */
  void subPhaseLeft(AttemptModel attempt, double at) {
    SubPhase left = attempt.subPhase();
    double began = attempt.subPhaseBegan();
    if (Double.isNaN(began)) {
      return;
    }
    double whole = Math.max(0, at - began);
    if (left == kind.main()) {
      durations[left.ordinal()].add(attempt, attempt.fullWorkSecondsAtEnd(at, whole));
    } else if (left == SubPhase.SHUFFLE) {
      durations[left.ordinal()].add(attempt, attempt.fetchSeconds(at, whole));
    } else {
      durations[left.ordinal()].add(attempt, whole);
    }
  }

  /**
   * An attempt succeeded. Its wrap-up is what came after "all input read", be that a sub-phase of
   * its own or not. Of one that was last heard of before its main sub-phase, nothing can be said.
   */
  void succeeded(AttemptModel attempt, double at) {
    if (attempt.subPhase() == SubPhase.WRAP_UP) {
      wrapUp.increment(Math.max(0, at - attempt.subPhaseBegan()));
    } else if (attempt.subPhase() == kind.main()) {
      double allRead = attempt.workDoneAt();
      subPhaseLeft(attempt, Double.isNaN(allRead) ? at : allRead);
      if (!Double.isNaN(allRead)) {
        wrapUp.increment(Math.max(0, at - allRead));
      }
    }
  }

  /** An attempt was killed or failed: its pace up to then still tells what an attempt can take. */
  void gaveUp(AttemptModel attempt) {
    if (attempt.subPhase() == kind.main()) {
      durations[kind.main().ordinal()].add(attempt, attempt.fullWorkSecondsOrNaN());
    }
  }

  void sizeChanged(long before, long after) {
    sizeChanges++;
    if (before > 0) {
      sized--;
      sizedBytes -= before;
    }
    if (after > 0) {
      sized++;
      sizedBytes += after;
    }
  }

  /** How often a size has changed so far. */
  long sizeChanges() {
    return sizeChanges;
  }

  void taskDone() {
    done++;
  }

  void taskUndone() {
    done--;
  }

  void enterRunning(TaskModel task) {
    task.runningSlot = running.size();
    running.add(task);
  }

  void leaveRunning(TaskModel task) {
    TaskModel last = running.remove(running.size() - 1);
    if (last != task) {
      running.set(task.runningSlot, last);
      last.runningSlot = task.runningSlot;
    }
    task.runningSlot = -1;
  }

  // --- what is asked of the phase

  /**
   * The size of a task in the phase's units: its bytes; the mean of the known ones if only its own
   * are unknown; 1 if no size is known.
   */
  public double size(TaskModel task) {
    if (sized == 0) {
      return 1;
    }
    long bytes = task.inputBytesOrZero();
    return bytes > 0 ? bytes : sizedBytes / sized;
  }

  /**
   * Seconds between two signs of progress that are usual in a sub-phase: Delta, or the mean gap
   * between two increases of progress where that is longer (records that take minutes each).
   */
  public double tick(SubPhase subPhase) {
    return Math.max(period, gaps[subPhase.ordinal()].orElse(0));
  }

  /** The length of the moving average in the main sub-phase, seconds. */
  public double windowSeconds() {
    return windowSeconds(kind.main());
  }

  /** The length of the moving average in a sub-phase, seconds. */
  double windowSeconds(SubPhase subPhase) {
    return settings.windowReports() * tick(subPhase);
  }

  /** Whether it stands still as a whole. */
  public CorrelatedStall correlatedStall() {
    return correlatedStall;
  }

  /** A report of an attempt has come: how many of any there have been. */
  long onReport(AttemptModel attempt) {
    if (attempt.machineNumber() >= 0) {
      lastHeard.set(attempt.machineNumber(), attempt);
    }
    return ++reports;
  }

  /**
   * Whether an attempt that was at its main work has stopped, since it alone is not heard of:
   * {@link #MISSING_REPORTS} of its reports are missing, and of the others at least half of those
   * that were due in the meantime have come. Where they have not, the machine that all of them
   * share with the AppMaster may be busy, or the network. (Mantri section 5.5 has t_rem grow with
   * the silence only, which by a moving average takes the whole window until it is long.)
   */
  boolean isMissing(AttemptModel attempt, double now) {
    double due = (now - attempt.lastReportAt()) / tick(attempt.subPhase());
    int others = running.size() - 1;
    return attempt.subPhase() == kind.main()
        && due >= MISSING_REPORTS + AttemptModel.GRACE - 1
        && others > 0
        && reports - attempt.heardOfOthers() >= 0.5 * due * others;
  }

  /**
   * Whether a machine has fallen silent: of its attempts that which was heard of last runs and
   * {@linkplain #isMissing is missing}, and so all are that were heard of before. A machine that
   * dies takes with it what has just been started there, too.
   *
   * @param machine its {@linkplain #numberOf number}; below 0 if that is not known
   */
  boolean isSilent(int machine, double now) {
    AttemptModel last = machine < 0 ? null : lastHeard.get(machine);
    return last != null && last.state() == AttemptState.RUNNING && isMissing(last, now);
  }

  /**
   * What a sub-phase of a task of the given size usually takes, by the attempts that went through
   * it: the mean, but of wrap-ups the median, since many attempts that end at once take several
   * times longer than one, and say nothing of the next. Empty before the first.
   */
  public OptionalDouble usualSeconds(SubPhase subPhase, double size) {
    double usual = usualSecondsOrNaN(subPhase, size);
    return Double.isNaN(usual) ? OptionalDouble.empty() : OptionalDouble.of(usual);
  }

  /** {@link #usualSeconds} for callers with many tasks; NaN where it is empty. */
  public double usualSecondsOrNaN(SubPhase subPhase, double size) {
    return subPhase == SubPhase.WRAP_UP
        ? wrapUp.getResult()
        : durations[subPhase.ordinal()].mean() * size;
  }

  /** How long a new attempt takes until it is first heard of. */
  public SchedulingLag schedulingLag() {
    return lag;
  }

  /**
   * The observed process rates in the main sub-phase: one of each attempt that has left it, and one
   * of each running attempt that has done enough of it.
   */
  public ProcessRates processRates() {
    Durations observed = durations[kind.main().ordinal()];
    ProcessRates all = new ProcessRates(observed.count() + running.size(), machineNumbers);
    observed.copyTo(all);
    for (TaskModel task : running) {
      double size = size(task);
      List<AttemptModel> attempts = task.attempts();
      for (int i = 0; i < attempts.size(); i++) {
        AttemptModel attempt = attempts.get(i);
        if (attempt.state() == AttemptState.RUNNING && attempt.subPhase() == kind.main()) {
          double full = attempt.fullWorkSecondsOrNaN();
          if (!Double.isNaN(full)) {
            all.add(attempt.machineNumber(), full / size);
          }
        }
      }
    }
    return all;
  }

  /** The tasks that have a running attempt and are not done, in no particular order. */
  public List<TaskModel> running() {
    return Collections.unmodifiableList(running);
  }

  /**
   * How many tasks wait for a slot: they are not done, none of their attempts runs, and what they
   * asked for is more than {@code patience} seconds old. What was asked for just now is on its way
   * and says nothing about slots.
   */
  public int waiting(double now, double patience) {
    int waiting = 0;
    for (TaskModel task : tasks) {
      boolean asked = !task.isDone() && task.copies() > 0 && task.runningCopies() == 0;
      if (asked && now - task.lastRequestedAt() > patience) {
        waiting++;
      }
    }
    return waiting;
  }

  /** All tasks, by index. */
  public List<TaskModel> tasks() {
    return Collections.unmodifiableList(tasks);
  }

  /** How many tasks are done. */
  public int done() {
    return done;
  }

  /** Maps or reduces. */
  public TaskKind kind() {
    return kind;
  }

  /** How reports become estimates here. */
  public EstimatorSettings settings() {
    return settings;
  }
}
