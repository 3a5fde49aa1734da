// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import io.drover.core.model.Evidence.Basis;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Models one attempt of a task: its state, its sub-phase, and what it has reported.
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
  private final boolean isCopy;
  private final WorkPace pace;

  private String machine;
  private int[] places = {};
  private AttemptState state = AttemptState.REQUESTED;
  private double launchedAt = Double.NaN;
  private double firstReportAt = Double.NaN;
  private double lastReportAt = Double.NaN;
  private long reportsThen;
  private double endedAt = Double.NaN;

  private SubPhase subPhase;
  private Basis basis = Basis.PROGRESS;
  private boolean bytesGivenUp;
  private double subPhaseStartedAt = Double.NaN;

  AttemptModel(TaskModel task, int number, double requestedAt) {
    this.task = task;
    this.number = number;
    this.requestedAt = requestedAt;
    this.tasksWaited = task.phase().hasPending();
    this.isCopy = task.copies() > 0;
    this.subPhase = task.phase().kind().subPhases().get(0);
    this.pace = new WorkPace(this);
  }

  /** Notes that the attempt got a container on {@code machine} and is about to start there. */
  public void assigned(String machine) {
    if (state == AttemptState.REQUESTED) {
      this.machine = machine;
    }
  }

  /** Notes that the container started the attempt on {@code machine}, in an unknown rack. */
  public void launched(double now, String machine) {
    launched(now, machine, null);
  }

  /** Notes that the container started the attempt; machine and rack are null if not known. */
  public void launched(double now, String machine, String rack) {
    if (state != AttemptState.REQUESTED) {
      return;
    }
    this.machine = machine;
    places =
        Stream.of(machine, rack)
            .takeWhile(Objects::nonNull)
            .mapToInt(task.phase()::numberOf)
            .toArray();
    state = AttemptState.RUNNING;
    launchedAt = now;
    pace.launched(now);
    boolean isHeldBack = task.phase().kind() == TaskKind.REDUCE && task.attempts().get(0) == this;
    if (now < requestedAt) { // it is older than this model
      task.phase().schedulingLag().launchedBefore();
    } else if (isHeldBack) {
      task.phase().schedulingLag().launchedAfterHold(now - requestedAt);
    } else {
      task.phase().schedulingLag().launched(now - requestedAt, isCopy, tasksWaited);
    }
    task.phase().liveness().launched(this);
    task.attemptRunning();
  }

  /**
   * Takes in a progress report. In the main sub-phase, the bytes measure the progress if the task's
   * size is known, unless the attempt also reports a fraction above 0 that differs from the bytes
   * by more than {@value #CONTRADICTION}. A columnar reader, for example, skips most of its split.
   * All attempts of a phase read in the same way, so after one contradiction the fractions of all
   * of them are used instead. Otherwise each new attempt would look slow by its bytes until it had
   * contradicted them too.
   *
   * @param now when the report came, seconds
   * @param reported the sub-phase that the attempt says it is in
   * @param fraction the part of that sub-phase that the attempt says is done, in [0,1]; other
   *     values are clipped, and NaN or an infinite value says nothing about progress
   * @param bytesRead how many bytes of the task's input have been read; 0 if that is not known
   */
  public void report(double now, SubPhase reported, double fraction, long bytesRead) {
    if (!isNews(now, reported)) {
      return;
    }
    PhaseModel phase = task.phase();
    long size = task.inputBytesOrZero();
    boolean saysFraction = fraction > 0;
    if (reported != phase.kind().main()) {
      take(now, reported, fraction, Basis.PROGRESS);
    } else if (size <= 0 || bytesRead <= 0) {
      boolean onlyAlive = basis == Basis.BYTES && !saysFraction;
      bytesGivenUp |= basis == Basis.BYTES && saysFraction;
      take(now, reported, onlyAlive ? Double.NaN : fraction, Basis.PROGRESS);
    } else {
      double byBytes = (double) bytesRead / size;
      if (saysFraction && Math.abs(byBytes - fraction) > CONTRADICTION) {
        phase.reportedProgress().bytesMislead();
      }
      boolean believed =
          !saysFraction || !(bytesGivenUp || phase.reportedProgress().doBytesMislead());
      take(now, reported, believed ? byBytes : fraction, believed ? Basis.BYTES : Basis.PROGRESS);
    }
  }

  /** Takes in a progress report without a byte count. */
  public void report(double now, SubPhase reported, double fraction) {
    report(now, reported, fraction, 0);
  }

  /**
   * How far bytes and fraction may differ before the bytes are no longer used, and how far progress
   * may fall back before the attempt counts as having started over.
   */
  static final double CONTRADICTION = 0.1;

  /** Notes that the attempt entered a later sub-phase at a time that is known exactly. */
  public void enter(SubPhase next, double at) {
    if (state != AttemptState.RUNNING || !Double.isFinite(at) || !isAhead(next)) {
      return;
    }
    double began = subPhaseStartedAt();
    double left = at < began ? began : at;
    task.phase().subPhaseLeft(this, left);
    subPhase = next;
    subPhaseStartedAt = left;
    bytesGivenUp = false;
    pace.forget();
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

  /**
   * Notes that the inputs of the phase are complete. From now on the attempt fetches at its own
   * pace, and everything it reported before counts as one report.
   */
  void inputsReady(double at) {
    if (state == AttemptState.RUNNING && subPhase == SubPhase.SHUFFLE && !pace.isUnknown()) {
      pace.inputsReady(at > lastReportAt ? at : lastReportAt);
    }
  }

  private void take(double now, SubPhase reported, double fraction, Basis by) {
    reportsThen = task.phase().liveness().onReport(this, now);
    boolean isFirst = Double.isNaN(firstReportAt);
    firstReportAt = isFirst ? now : firstReportAt;
    if (reported != subPhase) {
      enter(reported, now);
    }
    double known = work();
    double work = Double.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : known;
    boolean sameBasis = by == basis || !Double.isFinite(fraction);
    boolean stoodStill = work > known && task.phase().liveness().stall().isUnsettled(this);
    if (!sameBasis || known - work > CONTRADICTION || stoodStill) {
      pace.forget();
      basis = by;
    } else {
      work = Math.max(work, known);
    }
    // Nearly done at its first report: its work does not tell when it started.
    boolean isNearlyDone =
        subPhase == SubPhase.WRAP_UP || work >= 1 - EstimatorSettings.MIN_PROGRESS;
    if (isFirst && isNearlyDone) {
      task.phase().lateNews().add((now - launchedAt) / task.phase().sizes().relative(task));
    }
    if (Double.isNaN(subPhaseStartedAt)) {
      subPhaseStartedAt = isNearlyDone ? launchedAt : now;
      if (isFirst && !isNearlyDone) {
        task.phase().schedulingLag().firstReport(now - launchedAt, isCopy);
      }
    }
    pace.sample(now, work);
    lastReportAt = now;
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
    if (wasRunning) {
      if (how == AttemptState.SUCCEEDED) {
        task.phase().succeeded(this, endedAt);
      } else {
        pace.gaveUp(endedAt);
        task.phase().gaveUp(this);
      }
      task.phase().liveness().ended(this);
    }
    state = how;
    task.attemptEnded(this, wasRunning);
  }

  /** Returns the number of seconds after the last progress at which the next one is overdue. */
  double patience() {
    return GRACE * task.phase().tick(subPhase);
  }

  /** Returns whether it processes its task's input now. */
  public boolean isAtMainWork() {
    return subPhase == task.phase().kind().main();
  }

  /** Returns whether reports follow the progress of this sub-phase, so that it has a rate. */
  public boolean isPaced() {
    return subPhase == SubPhase.SHUFFLE || isAtMainWork();
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
  public boolean isHeardOf() {
    return !Double.isNaN(subPhaseStartedAt);
  }

  /** Returns the work that it has shown in its present sub-phase, and the pace of it. */
  public WorkPace pace() {
    return pace;
  }

  /** Returns the fraction of the present sub-phase done at the last report; 0 before the first. */
  public double work() {
    return pace.work();
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

  /** Returns the phase's number for its machine, from 0; below 0 while it is not known. */
  public int machineNumber() {
    return places.length == 0 ? -1 : places[0];
  }

  /** Returns the phase's numbers for its machine and for its rack, as far as they are known. */
  int[] places() {
    return places;
  }

  /** Returns its state. */
  public AttemptState state() {
    return state;
  }

  /** Returns the last known sub-phase. */
  public SubPhase subPhase() {
    return subPhase;
  }

  /** Returns when the present sub-phase began, or its first report came; before, the launch. */
  public double subPhaseStartedAt() {
    return Double.isNaN(subPhaseStartedAt) ? launchedAt : subPhaseStartedAt;
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

  /** Returns when it first reported, seconds; NaN before. */
  double firstReportAt() {
    return firstReportAt;
  }

  /** Returns when it ended, seconds; NaN while it lives. */
  public double endedAt() {
    return endedAt;
  }
}
