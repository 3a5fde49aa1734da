// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import io.drover.core.model.Evidence.Basis;
import java.util.Optional;

/**
 * Models one attempt of a task: its state, its sub-phase, its work so far and its recent rate.
 *
 * <p>Taking in a report is O(1) and allocates nothing, except for the first report after all
 * attempts were silent ({@link Liveness#onReport}). Reports may be late, repeated or out of order;
 * one from before the last report or of an earlier sub-phase is ignored. A report without a usable
 * fraction is a sign of life without progress.
 */
public final class AttemptModel {
  private final TaskModel task;
  private final int number;
  private final double requestedAt;
  private final boolean tasksWaited;
  private final WorkWindow window;
  private final FetchRate fetch;

  private String machine;
  private int machineNumber = -1;
  private AttemptState state = AttemptState.REQUESTED;
  private double launchedAt = Double.NaN;
  private double firstReportAt = Double.NaN;
  private double lastReportAt = Double.NaN;
  private long reportsThen;
  private double lastProgressAt = Double.NaN;
  private double endedAt = Double.NaN;
  private double firstWorkAt;
  private double workDoneAt = Double.NaN;

  private SubPhase subPhase;
  private Basis basis = Basis.PROGRESS;
  private boolean bytesGivenUp;
  private boolean headStartKnown;
  private double subPhaseStartedAt = Double.NaN;
  private double workAtStart;
  private int reports;

  AttemptModel(TaskModel task, int number, double requestedAt) {
    this.task = task;
    this.number = number;
    this.requestedAt = requestedAt;
    this.tasksWaited = task.phase().hasPending();
    this.window = new WorkWindow(SAMPLES_A_TICK * task.phase().settings().windowReports());
    this.subPhase = task.phase().kind().subPhases().get(0);
    boolean fetches = subPhase == SubPhase.SHUFFLE;
    this.fetch = fetches ? new FetchRate(task.phase().settings().minProgress()) : null;
  }

  /** Notes that the attempt got a container on {@code machine} and is about to start there. */
  public void assigned(String machine) {
    if (state == AttemptState.REQUESTED) {
      this.machine = machine;
    }
  }

  /** Notes that the container started the attempt on {@code machine}. */
  public void launched(double now, String machine) {
    if (state != AttemptState.REQUESTED) {
      return;
    }
    this.machine = machine;
    machineNumber = machine == null ? -1 : task.phase().numberOf(machine);
    state = AttemptState.RUNNING;
    launchedAt = now;
    if (fetch != null) {
      fetch.begin(now, 0);
    }
    boolean isCopy = isCopy();
    if (isCopy || task.phase().kind() == TaskKind.MAP) {
      task.phase().schedulingLag().launched(now - requestedAt, isCopy, tasksWaited);
    } else {
      task.phase().schedulingLag().launchedAfterHold(now - requestedAt);
    }
    task.phase().liveness().launched(this);
    task.attemptRunning();
  }

  private boolean isCopy() {
    return task.attempts().get(0) != this;
  }

  /**
   * Takes in a progress report without a byte count.
   *
   * @param now when the report came, seconds
   * @param reported the sub-phase that the attempt says it is in
   * @param fraction the part of that sub-phase that the attempt says is done, in [0,1]; other
   *     values are clipped, and NaN or an infinite value says nothing about progress
   */
  public void report(double now, SubPhase reported, double fraction) {
    take(now, reported, fraction, Basis.PROGRESS);
  }

  /**
   * Takes in a progress report with the bytes read so far. In the main sub-phase, the bytes measure
   * the progress if the task's size is known, unless the attempt also reports a fraction above 0
   * that differs from the bytes by more than {@value #CONTRADICTION}. A columnar reader, for
   * example, skips most of its split. All attempts of a phase read in the same way, so after one
   * contradiction the fractions of all of them are used instead. Otherwise each new attempt would
   * look slow by its bytes until it had contradicted them too.
   *
   * @param bytesRead how many bytes of the task's input have been read, at least 0; for the other
   *     parameters see {@link #report(double, SubPhase, double)}
   */
  public void report(double now, SubPhase reported, double fraction, long bytesRead) {
    PhaseModel phase = task.phase();
    long size = task.inputBytesOrZero();
    boolean saysFraction = fraction > 0;
    if (reported != phase.kind().main() || !isNews(now, reported)) {
      take(now, reported, fraction, Basis.PROGRESS);
    } else if (size <= 0 || bytesRead <= 0) {
      boolean onlyAlive = basis == Basis.BYTES && !saysFraction;
      bytesGivenUp |= basis == Basis.BYTES && saysFraction;
      take(now, reported, onlyAlive ? Double.NaN : fraction, Basis.PROGRESS);
    } else {
      double byBytes = (double) bytesRead / size;
      if (saysFraction && Math.abs(byBytes - fraction) > CONTRADICTION) {
        phase.bytesMislead();
      }
      boolean believed = !saysFraction || !(bytesGivenUp || phase.doBytesMislead());
      take(now, reported, believed ? byBytes : fraction, believed ? Basis.BYTES : Basis.PROGRESS);
    }
  }

  /**
   * How far bytes and fraction may differ before the bytes are no longer used, and how far progress
   * may fall back before the attempt counts as having started over.
   */
  static final double CONTRADICTION = 0.1;

  /** Samples per period in the moving average. */
  private static final int SAMPLES_A_TICK = 2;

  /** Notes that the attempt entered a later sub-phase at a time that is known exactly. */
  public void enter(SubPhase next, double at) {
    if (state != AttemptState.RUNNING || !Double.isFinite(at) || !isAhead(next)) {
      return;
    }
    double began = subPhaseBegan();
    double left = at < began ? began : at;
    task.phase().subPhaseLeft(this, left);
    subPhase = next;
    subPhaseStartedAt = left;
    bytesGivenUp = false;
    forgetPace();
  }

  private boolean isAhead(SubPhase next) {
    return next.compareTo(subPhase) > 0 && task.phase().kind().subPhases().contains(next);
  }

  /** Returns whether a report of that time and sub-phase is about the present, not the past. */
  private boolean isNews(double now, SubPhase reported) {
    return state == AttemptState.RUNNING
        && Double.isFinite(now)
        && !(now < lastReportAt)
        && (reported == subPhase || isAhead(reported));
  }

  /** Restarts the measurement of the present sub-phase with the next report. */
  private void forgetPace() {
    window.clear();
    reports = 0;
    workAtStart = 0;
    workDoneAt = Double.NaN;
  }

  /**
   * Notes that the inputs of the phase are complete. From now on the attempt fetches at its own
   * pace, and everything it reported before counts as one report.
   */
  void inputsReady(double at) {
    if (state != AttemptState.RUNNING || subPhase != SubPhase.SHUFFLE || window.isEmpty()) {
      return;
    }
    double work = window.lastWork();
    double since = at > lastReportAt ? at : lastReportAt;
    forgetPace();
    fetch.begin(since, work);
    sample(since, work);
  }

  /**
   * Notes that the attempt has fetched {@code bytes} with {@code fraction} of the map outputs. This
   * estimates d before all maps are done, as {@code bytes / fraction}, so that a reduce with more
   * data to fetch than others does not count as slow.
   */
  public void fetched(long bytes, double fraction) {
    boolean usable = fraction > 0 && fraction <= 1 && bytes > 0;
    if (usable && state == AttemptState.RUNNING && subPhase == SubPhase.SHUFFLE) {
      task.inputBytes(Math.round(bytes / fraction));
    }
  }

  /** Returns how long the whole shuffle, done at {@code at}, takes without waiting for maps. */
  double fetchSeconds(double at, double whole) {
    fetch.progress(at, 1);
    return Math.min(whole, fetch.fullSeconds());
  }

  private void take(double now, SubPhase reported, double fraction, Basis by) {
    if (!isNews(now, reported)) {
      return;
    }
    reportsThen = task.phase().liveness().onReport(this, now);
    boolean isFirst = Double.isNaN(firstReportAt);
    if (isFirst) {
      firstReportAt = now;
    }
    if (reported != subPhase) {
      enter(reported, now);
    }
    double known = work();
    double work = Double.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : known;
    boolean sameBasis = by == basis || !Double.isFinite(fraction);
    boolean stoodStill = work > known && task.phase().liveness().isUnsettled(this);
    if (!sameBasis || known - work > CONTRADICTION || stoodStill) {
      forgetPace();
      basis = by;
    } else {
      work = Math.max(work, known);
    }
    if (Double.isNaN(subPhaseStartedAt)) {
      // Nearly done at its first report: its work does not tell when it started.
      boolean heardOfLate = work >= 1 - task.phase().settings().minProgress();
      subPhaseStartedAt = heardOfLate ? launchedAt : now;
      if (isFirst && !heardOfLate) {
        task.phase().schedulingLag().firstReport(now - launchedAt, isCopy());
      }
    }
    sample(now, work);
    lastReportAt = now;
  }

  private void sample(double now, double work) {
    if (reports == 0 || now > lastReportAt) {
      reports++;
    }
    if (window.isEmpty()) {
      workAtStart = work;
      firstWorkAt = now;
    } else if (work > window.lastWork()) {
      task.phase().progressGap(subPhase, now - lastProgressAt);
    } else {
      return;
    }
    lastProgressAt = now;
    window.add(now, work, task.phase().tick(subPhase) / SAMPLES_A_TICK);
    if (subPhase == SubPhase.SHUFFLE) {
      fetch.progress(now, work);
    }
    workDoneAt = work >= 1 ? now : workDoneAt;
    if (!headStartKnown && subPhase == SubPhase.MAP) {
      tellHeadStart();
    }
  }

  /** Records how long the attempt worked before its first report, by its pace since then. */
  private void tellHeadStart() {
    double full = fullWorkSecondsOrNaN();
    if (Double.isNaN(full)) {
      return;
    }
    headStartKnown = true;
    if (firstWorkAt == firstReportAt) {
      double most = firstReportAt - launchedAt;
      task.phase().schedulingLag().headStart(Math.min(most, workAtStart * full));
    }
  }

  /** Notes that the attempt ended, in {@code SUCCEEDED}, {@code KILLED} or {@code FAILED}. */
  public void ended(AttemptState how, double now) {
    if (how.isLive()) {
      throw new IllegalArgumentException("an attempt does not end in " + how);
    }
    if (!state.isLive()) {
      return;
    }
    boolean wasRunning = state == AttemptState.RUNNING;
    endedAt = now < lastReportAt ? lastReportAt : now;
    if (wasRunning && how == AttemptState.SUCCEEDED) {
      task.phase().succeeded(this, endedAt);
    } else if (wasRunning) {
      task.phase().gaveUp(this);
    }
    if (wasRunning) {
      task.phase().liveness().ended(this);
    }
    state = how;
    task.attemptEnded(this, wasRunning);
  }

  /**
   * Returns the moving average of this attempt's rate in its present sub-phase at {@code now}.
   * Progress is overdue when the last one is more than {@link #GRACE} periods old, because no
   * report comes or because reports show none. The time after that counts as time without progress
   * (Mantri section 5.5): the rate falls, and is 0 once the whole window has passed without any
   * work.
   *
   * <p>Missing reports also count as reports without progress if too few reports have come. Once
   * enough reports are due, the rate is the mean since the attempt began to work, including the
   * head start that attempts usually have at their first report.
   *
   * @return fraction of the sub-phase per second, possibly 0; NaN while too few reports have come
   */
  public double rateOrNaN(double now) {
    double tick = task.phase().tick(subPhase);
    double width = task.phase().windowSeconds(subPhase);
    if (window.isEmpty()) {
      return Double.NaN;
    }
    double end = lastProgressAt + Math.max(0, now - lastProgressAt - GRACE * tick);
    double rate = window.rate(end, width);
    boolean enough = reports >= task.phase().settings().minReports();
    double ofFew = enough ? Double.NaN : rateOfFewReports(end, tick);
    if (!Double.isNaN(ofFew) && end - lastProgressAt < width) {
      return ofFew;
    }
    // No work within less than a window does not mean a stop: the attempt may just have begun.
    boolean known = rate > 0 ? enough || end - firstWorkAt >= width : end - lastProgressAt >= width;
    return known ? rate : Double.NaN;
  }

  /** Returns the rate since the work began; NaN unless received plus missing reports suffice. */
  private double rateOfFewReports(double end, double tick) {
    double due = reports + (end - lastReportAt) / tick;
    boolean isMain = subPhase == task.phase().kind().main();
    if (!isMain || !(window.lastWork() > 0) || due < task.phase().settings().minReports()) {
      return Double.NaN;
    }
    double began =
        subPhase == SubPhase.MAP
            ? Math.max(launchedAt, firstReportAt - task.phase().schedulingLag().headStart())
            : subPhaseStartedAt;
    return end > began ? window.lastWork() / (end - began) : Double.NaN;
  }

  /**
   * Returns the seconds since the last progress during which the attempt is assumed to have
   * continued at its rate: all of them, until the next progress is overdue.
   */
  public double sinceProgress(double now) {
    return Math.min(now - lastProgressAt, patience());
  }

  /** Returns the number of seconds after the last progress at which the next one is overdue. */
  double patience() {
    return GRACE * task.phase().tick(subPhase);
  }

  /** Returns whether reports follow the progress of this sub-phase, so that it has a rate. */
  public boolean isPaced() {
    return subPhase == SubPhase.SHUFFLE || subPhase == task.phase().kind().main();
  }

  /** Progress is overdue after this many periods: one period, and half a period of jitter. */
  public static final double GRACE = 1.5;

  /** Returns by how many seconds the next report is overdue; 0 if it is not. */
  public double silence(double now) {
    double overdue = now - heardOfAt() - patience();
    return overdue > 0 ? overdue : 0;
  }

  /** Returns when it last reported, entered its sub-phase or was launched. */
  double heardOfAt() {
    double onReport = Double.isNaN(lastReportAt) ? launchedAt : lastReportAt;
    return subPhaseStartedAt > onReport ? subPhaseStartedAt : onReport;
  }

  /** Returns whether it has reported, or entered a sub-phase. */
  boolean isHeardOf() {
    return !Double.isNaN(subPhaseStartedAt);
  }

  /** Returns whether it has reported from its present sub-phase. */
  boolean isHeardOfHere() {
    return !window.isEmpty();
  }

  /**
   * Returns the seconds that the whole present sub-phase would take at the mean pace from the first
   * report to the latest progress. This is the attempt's contribution to the phase's process rate.
   * The time since an attempt stopped does not count: it says nothing about how fast tasks are
   * processed, and a stop that never ends would leave no mean.
   *
   * @return NaN until enough work is done for a meaningful value
   */
  double fullWorkSecondsOrNaN() {
    EstimatorSettings settings = task.phase().settings();
    if (window.isEmpty() || reports < settings.minReports()) {
      return Double.NaN;
    }
    double done = window.lastWork() - workAtStart;
    boolean enough = done >= settings.minProgress();
    return enough ? (lastProgressAt - firstWorkAt) / done : Double.NaN;
  }

  /**
   * Returns the same for an attempt that has just done all the work of its sub-phase.
   *
   * @param whole the seconds since the sub-phase began, which count if no pace was seen
   */
  double fullWorkSecondsAtEnd(double at, double whole) {
    double seen = 1 - workAtStart;
    boolean paceSeen = reports > 0 && seen > task.phase().settings().minProgress();
    return paceSeen ? Math.max(0, at - firstWorkAt) / seen : whole;
  }

  /** Returns the fraction of the present sub-phase done at the last report; 0 before the first. */
  public double work() {
    return window.isEmpty() ? 0 : window.lastWork();
  }

  /** Returns when a report first said that all work of the sub-phase is done; NaN before. */
  public double workDoneAt() {
    return workDoneAt;
  }

  /** Returns when the present sub-phase began: for a first one without a report, the launch. */
  double subPhaseBegan() {
    boolean isFirst = subPhase == task.phase().kind().subPhases().get(0);
    return Double.isNaN(subPhaseStartedAt) && isFirst ? launchedAt : subPhaseStartedAt;
  }

  /** Returns the task that it runs. */
  public TaskModel task() {
    return task;
  }

  /** Returns its number, which is unique within the task. */
  public int number() {
    return number;
  }

  /** Returns the machine of its container; empty until it is assigned, or if it is not known. */
  public Optional<String> machine() {
    return Optional.ofNullable(machine);
  }

  /** Returns the phase's number for its machine; below 0 while it is not known. */
  int machineNumber() {
    return machineNumber;
  }

  /** Returns its state. */
  public AttemptState state() {
    return state;
  }

  /** Returns the last known sub-phase. */
  public SubPhase subPhase() {
    return subPhase;
  }

  /** Returns when the present sub-phase began, or when its first report came; NaN before both. */
  public double subPhaseStartedAt() {
    return subPhaseStartedAt;
  }

  /** Returns what its progress is measured by. */
  public Basis basis() {
    return basis;
  }

  /** Returns when it was requested, seconds. */
  public double requestedAt() {
    return requestedAt;
  }

  /** Returns when its container started it, seconds; NaN before. */
  public double launchedAt() {
    return launchedAt;
  }

  /** Returns when it last reported, seconds; NaN before the first report. */
  public double lastReportAt() {
    return lastReportAt;
  }

  /** Returns how many reports the phase had received when this attempt last reported. */
  long reportsThen() {
    return reportsThen;
  }

  /** Returns when it last reported progress, seconds; NaN before the first report. */
  double progressedAt() {
    return lastProgressAt;
  }

  /** Returns when it ended, seconds; NaN while it lives. */
  public double endedAt() {
    return endedAt;
  }
}
