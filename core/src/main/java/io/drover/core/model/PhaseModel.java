// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.stat.descriptive.rank.PSquarePercentile;

/**
 * Models one phase of one job: its tasks, and what they have shown so far. That is the time per
 * unit of input, the time of each sub-phase and of the wrap-up, and the time from the request for
 * an attempt to its first report.
 *
 * <p>A unit of input is a byte if the size of any task is known. Otherwise it is one whole task
 * (generators, and compressed or non-splittable inputs whose length says nothing).
 */
public final class PhaseModel {
  /** How likely an attempt is an outlier, if nothing is known of its machine. */
  public static final double OUTLIERS = 0.1;

  private static final double LONGEST_DELTA = 10;

  private final TaskKind kind;
  private final EstimatorSettings settings;
  private final List<TaskModel> tasks = new ArrayList<>();
  private final List<TaskModel> running = new ArrayList<>();
  private final double period;
  private final RunningMean[] gaps = new RunningMean[SubPhase.COUNT];
  private final Durations[] durations = new Durations[SubPhase.COUNT];
  private final PSquarePercentile wrapUp = new PSquarePercentile(50);
  private final PSquarePercentile lifetimes = new PSquarePercentile(50);
  private final SchedulingLag lag;
  private final Liveness liveness = new Liveness(this);
  private final Map<String, Integer> numbers = new HashMap<>();
  private final TaskSizes sizes = new TaskSizes();
  private final ToDoubleFunction<String> outlierProbability;
  private final ReportedProgress reportedProgress = new ReportedProgress();
  private final LogNormal lateNews = new LogNormal();

  private int done;
  private int pending;
  private boolean inputsReady;

  /** Creates a phase without tasks that learns its scheduling lag by itself. */
  public PhaseModel(TaskKind kind, EstimatorSettings settings) {
    this(kind, settings, new SchedulingLag(), machine -> OUTLIERS);
  }

  /**
   * Creates a phase without tasks.
   *
   * @param lag the known scheduling lag, which the phases of a job share
   * @param outlierProbability tells by earlier jobs how likely an attempt on a machine is an
   *     outlier; {@value #OUTLIERS} where that is not known
   */
  public PhaseModel(
      TaskKind kind,
      EstimatorSettings settings,
      SchedulingLag lag,
      ToDoubleFunction<String> outlierProbability) {
    this.kind = kind;
    this.settings = settings;
    this.lag = lag;
    this.outlierProbability = outlierProbability;
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
   * Notes that all inputs of the phase exist since {@code at}; for reduces, when the last map is
   * done. From then on fetching attempts go at their own pace, so their pace is measured anew.
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

  /** Notes that an input of the phase was lost and is being made again. */
  public void inputsNotReady() {
    inputsReady = false;
  }

  /** Returns whether an attempt may wait, because it fetches inputs that do not all exist yet. */
  public boolean mayWait(AttemptModel attempt) {
    return attempt.subPhase() == SubPhase.SHUFFLE && !inputsReady;
  }

  /** Returns whether all inputs of the phase exist. If not, tasks may be waiting for them. */
  public boolean inputsAreReady() {
    return inputsReady;
  }

  // --- what attempts report

  void progressGap(SubPhase subPhase, double seconds) {
    if (subPhase != SubPhase.SHUFFLE || inputsReady) {
      gaps[subPhase.ordinal()].add(seconds);
    }
  }

  /** Returns what is known of the progress that attempts report. */
  ReportedProgress reportedProgress() {
    return reportedProgress;
  }

  /**
   * Returns whether the progress that an attempt reports in the main sub-phase says nothing: most
   * of those that have done it were far behind by their own reports, and it is not further.
   */
  public boolean isMisleading(AttemptModel attempt) {
    return attempt.isAtMainWork() && reportedProgress.isMisleading(attempt.work());
  }

  /**
   * Returns for how long nothing was heard of attempts that had done their work by then, for one of
   * the mean size.
   */
  LogNormal lateNews() {
    return lateNews;
  }

  /** Returns the sizes of the tasks. */
  TaskSizes sizes() {
    return sizes;
  }

  /** Returns the number of a machine or rack within the phase: 0, 1, 2… by first use. */
  int numberOf(String place) {
    Integer known = numbers.putIfAbsent(place, numbers.size());
    return known == null ? numbers.size() - 1 : known;
  }

  /** Returns by earlier jobs how likely an attempt on a machine is an outlier. */
  public double outlierProbability(String machine) {
    return outlierProbability.applyAsDouble(machine);
  }

  void pendingChanged(int by) {
    pending += by;
  }

  /** Returns whether any task has requested an attempt and has none running. */
  boolean hasPending() {
    return pending > 0;
  }

  /** Notes that an attempt left its present sub-phase for a later one at {@code at}. */
  void subPhaseLeft(AttemptModel attempt, double at) {
    SubPhase left = attempt.subPhase();
    double began = attempt.subPhaseStartedAt();
    if (Double.isNaN(began)) {
      return;
    }
    double seconds = Math.max(0, at - began);
    if (left == kind.main()) {
      reportedProgress.judge(attempt.pace(), began, at);
      seconds = attempt.pace().fullSecondsAtEnd(at, seconds);
      attempt.pace().didMainWork(seconds);
    } else if (left == SubPhase.SHUFFLE) {
      seconds = attempt.pace().fetchSeconds(at, seconds);
    }
    durations[left.ordinal()].add(attempt, seconds);
  }

  /**
   * Notes that an attempt succeeded. Its wrap-up is the time after "all input read", whether it
   * reported a wrap-up or not. No wrap-up is recorded if its last report precedes the main
   * sub-phase.
   */
  void succeeded(AttemptModel attempt, double at) {
    lifetimes.increment(at - attempt.launchedAt());
    if (attempt.subPhase() == SubPhase.WRAP_UP) {
      wrapUp.increment(Math.max(0, at - attempt.subPhaseStartedAt()));
    } else if (attempt.isAtMainWork()) {
      double allRead = attempt.pace().workDoneAt();
      subPhaseLeft(attempt, Double.isNaN(allRead) ? at : allRead);
      if (!Double.isNaN(allRead)) {
        wrapUp.increment(Math.max(0, at - allRead));
      }
    }
  }

  /** Notes that an attempt was killed or failed. Its pace until then is still an observation. */
  void gaveUp(AttemptModel attempt) {
    if (attempt.isAtMainWork() && !isMisleading(attempt)) {
      durations[kind.main().ordinal()].add(attempt, attempt.pace().fullSecondsOrNaN());
    }
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

  // --- queries

  /**
   * Returns the size of a task in the phase's units: its bytes, or a quarter of the mean if it has
   * far less; the mean of the known sizes if its own is not known; 1 if no size is known.
   */
  public double size(TaskModel task) {
    return sizes.of(task);
  }

  /**
   * Returns Delta in seconds: a tenth of the lifetime of attempts, at most 10 s (Mantri section 5),
   * but not below the time between two reports, because nothing is known earlier. The lifetime is
   * the median of those that succeeded; with the mean, a few outliers would put off what is to be
   * done about others.
   */
  public double delta() {
    double usual = Double.isNaN(lifetimes.getResult()) ? 0 : lifetimes.getResult();
    return Math.max(period, Math.min(LONGEST_DELTA, usual / 10));
  }

  /**
   * Returns the usual seconds between two signs of progress in a sub-phase: a period, or the mean
   * gap between two increases of progress if that is longer (records that take minutes each).
   */
  public double tick(SubPhase subPhase) {
    return Math.max(period, gaps[subPhase.ordinal()].orElse(0));
  }

  /** Returns the length of the moving average in a sub-phase, seconds. */
  double windowSeconds(SubPhase subPhase) {
    return settings.windowReports() * tick(subPhase);
  }

  /** Returns the length of the moving average in the main sub-phase, seconds. */
  public double windowSeconds() {
    return windowSeconds(kind.main());
  }

  /** Returns what tells how likely attempts have stopped. */
  public Liveness liveness() {
    return liveness;
  }

  /**
   * Returns the usual seconds of a sub-phase for a task of the given size; NaN before any attempt
   * has completed it. This is the mean, but for wrap-ups the median, because many that end at once
   * take several times longer than one and say nothing about the next.
   */
  public double usualSecondsOrNaN(SubPhase subPhase, double size) {
    return subPhase == SubPhase.WRAP_UP
        ? wrapUp.getResult()
        : durations[subPhase.ordinal()].mean() * size;
  }

  /** Returns the measured times from a request to the first report. */
  public SchedulingLag schedulingLag() {
    return lag;
  }

  /**
   * Returns the observed process rates in the main sub-phase: one for each attempt that has left
   * it, and one for each running attempt that has done enough of it, but none for small tasks.
   */
  public ProcessRates processRates() {
    Durations ended = durations[kind.main().ordinal()];
    ProcessRates all = new ProcessRates(ended.count() + running.size());
    ended.copyTo(all);
    running.forEach(task -> all.addRunning(task, WorkPace::fullSecondsOrNaN));
    return all;
  }

  /** Returns the rates at which running attempts do their main work at present, unless stopped. */
  public ProcessRates presentRates(double now) {
    ProcessRates present = new ProcessRates(running.size());
    running.forEach(task -> present.addRunning(task, pace -> 1 / pace.rateOrNaN(now)));
    return present;
  }

  /** Returns the tasks that have a running attempt and are not done, in no particular order. */
  public List<TaskModel> running() {
    return Collections.unmodifiableList(running);
  }

  /** Returns all tasks, by index. */
  public List<TaskModel> tasks() {
    return Collections.unmodifiableList(tasks);
  }

  /** Returns whether any attempt has succeeded. */
  public boolean hasSucceeded() {
    return lifetimes.getN() > 0;
  }

  /** Returns how many tasks are done. */
  public int done() {
    return done;
  }

  /** Returns whether the tasks are maps or reduces. */
  public TaskKind kind() {
    return kind;
  }

  /** Returns the settings of the estimators. */
  public EstimatorSettings settings() {
    return settings;
  }
}
