// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

/** The work that an attempt has shown in its present sub-phase, and the pace of it. */
public final class WorkPace {
  /** Samples per period in the moving average. */
  private static final int SAMPLES_A_TICK = 2;

  private final AttemptModel attempt;
  private final PhaseModel phase;
  private final WorkWindow window;
  private final FetchRate fetch;

  private double lastProgressAt = Double.NaN;
  private double firstWorkAt;
  private double workDoneAt = Double.NaN;
  private double workAtStart;
  private double workBeforeDone;
  private double reportBeforeDone = Double.NaN;
  private double work;
  private int reports;
  private boolean headStartKnown;
  private double mainSeconds = Double.NaN;

  WorkPace(AttemptModel attempt) {
    this.attempt = attempt;
    this.phase = attempt.task().phase();
    this.window = new WorkWindow(SAMPLES_A_TICK * phase.settings().windowReports());
    this.fetch = phase.kind() == TaskKind.REDUCE ? new FetchRate() : null;
  }

  /** Notes that the attempt was launched. */
  void launched(double now) {
    if (fetch != null) {
      fetch.begin(now, 0);
    }
  }

  /** Restarts the measurement of the present sub-phase with the next report. */
  void forget() {
    window.clear();
    work = 0;
    reports = 0;
    workAtStart = 0;
    workBeforeDone = 0;
    reportBeforeDone = Double.NaN;
    workDoneAt = Double.NaN;
  }

  /** Notes that the inputs are complete: what was fetched before counts as one report. */
  void inputsReady(double at) {
    double fetched = work;
    forget();
    fetch.begin(at, fetched);
    sample(at, fetched);
  }

  /** Takes in a report of a fraction of the sub-phase that is not below the last one. */
  void sample(double now, double reported) {
    boolean isFirst = reports == 0;
    if (isFirst || now > attempt.lastReportAt()) {
      reports++;
    }
    reportBeforeDone = reported < 1 ? now : reportBeforeDone;
    SubPhase subPhase = attempt.subPhase();
    if (isFirst) {
      workAtStart = reported;
      firstWorkAt = now;
    } else if (reported > work) {
      phase.progressGap(subPhase, now - lastProgressAt);
    } else {
      return;
    }
    lastProgressAt = now;
    work = reported;
    window.add(now, work, phase.tick(subPhase) / SAMPLES_A_TICK);
    if (subPhase == SubPhase.SHUFFLE) {
      fetch.progress(now, work, phase.inputsAreReady());
    }
    if (work >= 1) {
      workDoneAt = now;
    } else {
      workBeforeDone = work;
    }
    if (!headStartKnown && subPhase == SubPhase.MAP) {
      tellHeadStart();
    }
  }

  /** Records how long the attempt worked before its first report, by its pace since then. */
  private void tellHeadStart() {
    double full = fullSecondsOrNaN();
    if (Double.isNaN(full)) {
      return;
    }
    headStartKnown = true;
    if (firstWorkAt == attempt.firstReportAt()) {
      double most = firstWorkAt - attempt.launchedAt();
      phase.schedulingLag().headStart(Math.min(most, workAtStart * full));
    }
  }

  /** Returns whether the attempt has work left in its sub-phase that reports should show now. */
  boolean owesProgress() {
    return attempt.isPaced() && work < 1 && !phase.mayWait(attempt);
  }

  /** Returns whether the attempt has reported nothing from its present sub-phase. */
  boolean isUnknown() {
    return reports == 0;
  }

  /** Returns the fraction of the present sub-phase done at the last report; 0 before the first. */
  double work() {
    return work;
  }

  /** Returns when it last reported progress, seconds; NaN before the first report. */
  public double progressedAt() {
    return lastProgressAt;
  }

  /** Returns when a report first said that all work of the sub-phase is done; NaN before. */
  public double workDoneAt() {
    return workDoneAt;
  }

  /**
   * Returns the moving average of the rate in the present sub-phase at {@code now}. Progress is
   * overdue when the last one is more than {@link AttemptModel#GRACE} periods old, because no
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
    if (reports == 0) {
      return Double.NaN;
    }
    double width = phase.windowSeconds(attempt.subPhase());
    double end = lastProgressAt + Math.max(0, now - lastProgressAt - attempt.patience());
    double rate = window.rate(end, width);
    boolean enough = reports >= phase.settings().minReports();
    double ofFew = enough ? Double.NaN : rateOfFewReports(end);
    if (!Double.isNaN(ofFew) && end - lastProgressAt < width) {
      return ofFew;
    }
    // No work within less than a window does not mean a stop: the attempt may just have begun.
    boolean known = rate > 0 ? enough || end - firstWorkAt >= width : end - lastProgressAt >= width;
    return known ? rate : Double.NaN;
  }

  /** Returns the mean rate of the present sub-phase; the recent one while little work is done. */
  public double meanRateOrNaN(double now) {
    double full = fullSecondsOrNaN();
    return Double.isNaN(full) ? rateOrNaN(now) : 1 / full;
  }

  /** Notes how long the main part of the work took. */
  void didMainWork(double seconds) {
    mainSeconds = seconds;
  }

  /**
   * Notes that the attempt ends without success: later, its rate would look ever slower. Of one
   * that has just begun, nothing is known.
   */
  void gaveUp(double now) {
    double seconds = mainSecondsOrNaN(now);
    boolean hasStopped = seconds == Double.POSITIVE_INFINITY;
    boolean isKnown =
        hasStopped
            ? !phase.liveness().stall().wasStalledJustNow(attempt, now)
            : work() >= EstimatorSettings.MIN_PROGRESS;
    mainSeconds = isKnown ? seconds : Double.NaN;
  }

  /**
   * Returns the seconds that the main part of the work took or would take at its pace; NaN if that
   * is not known, and infinite if the attempt has stopped, also before it was heard of.
   */
  public double mainSecondsOrNaN(double now) {
    boolean isRunning = attempt.state() == AttemptState.RUNNING;
    if (isRunning && phase.liveness().hasStopped(attempt, now)) {
      return Double.POSITIVE_INFINITY;
    }
    if (!isRunning || !attempt.isAtMainWork()) {
      return mainSeconds;
    }
    return phase.isMisleading(attempt) ? Double.NaN : 1 / meanRateOrNaN(now);
  }

  /** Returns the rate since the work began; NaN unless received plus missing reports suffice. */
  private double rateOfFewReports(double end) {
    SubPhase subPhase = attempt.subPhase();
    double due = reports + (end - attempt.lastReportAt()) / phase.tick(subPhase);
    if (!attempt.isAtMainWork() || !(work > 0) || due < phase.settings().minReports()) {
      return Double.NaN;
    }
    double headStart = phase.schedulingLag().headStart();
    double began =
        subPhase == SubPhase.MAP
            ? Math.max(attempt.launchedAt(), attempt.firstReportAt() - headStart)
            : attempt.subPhaseStartedAt();
    return end > began ? work / (end - began) : Double.NaN;
  }

  /**
   * Returns the seconds since the last progress during which the attempt is assumed to have
   * continued at its rate: all of them, until the next progress is overdue.
   */
  public double sinceProgress(double now) {
    return Math.min(now - lastProgressAt, attempt.patience());
  }

  /**
   * Returns the seconds that the whole present sub-phase would take at the mean pace from the first
   * report to the latest progress. This is the attempt's contribution to the phase's process rate.
   * The time since an attempt stopped does not count: it says nothing about how fast tasks are
   * processed, and a stop that never ends would leave no mean.
   *
   * @return NaN until enough work is done for a meaningful value
   */
  double fullSecondsOrNaN() {
    if (reports < phase.settings().minReports()) {
      return Double.NaN;
    }
    double done = work - workAtStart;
    boolean enough = done >= EstimatorSettings.MIN_PROGRESS;
    return enough ? (lastProgressAt - firstWorkAt) / done : Double.NaN;
  }

  /**
   * Returns the same for an attempt that has just done all the work of its sub-phase.
   *
   * @param whole the seconds since the sub-phase began, which count if no pace was seen
   */
  double fullSecondsAtEnd(double at, double whole) {
    double seen = 1 - workAtStart;
    boolean paceSeen = reports > 0 && seen > EstimatorSettings.MIN_PROGRESS;
    return paceSeen ? Math.max(0, at - firstWorkAt) / seen : whole;
  }

  /** Returns whether enough reports came before the one that said that all work is done. */
  boolean isJudgeable() {
    return reports >= phase.settings().minReports() && reportBeforeDone > firstWorkAt;
  }

  /** Returns the work by the last report before the one that said that all of it is done. */
  double workBeforeDone() {
    return workBeforeDone;
  }

  /**
   * Returns whether that report showed less than half of the share of time that had passed by then
   * in a sub-phase that lasted from {@code began} to {@code at}.
   */
  boolean isBelied(double began, double at) {
    return 2 * workBeforeDone < (reportBeforeDone - began) / (at - began);
  }

  /** Returns how long the whole shuffle, done at {@code at}, takes without waiting for maps. */
  double fetchSeconds(double at, double whole) {
    fetch.progress(at, 1, phase.inputsAreReady());
    return Math.min(whole, fetch.fullSeconds());
  }
}
