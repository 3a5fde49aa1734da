// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import io.drover.core.model.Evidence.Basis;
import java.util.Optional;

/**
 * The model of one attempt of a task: where it is, how far, and how fast it has gone of late.
 *
 * <p>Taking in a report is O(1) and allocates nothing, but after a silence of all ({@link
 * CorrelatedStall#onReport}). Reports may be late, repeated or out of order: what is older than
 * what is known is left out. A report without a usable fraction is a sign of life without progress.
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
  private long heardOfOthers;
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

  /** The attempt was given a container on {@code machine} and is about to be started there. */
  public void assigned(String machine) {
    if (state == AttemptState.REQUESTED) {
      this.machine = machine;
    }
  }

  /** The container started the attempt on {@code machine}. */
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
    task.attemptRunning();
  }

  private boolean isCopy() {
    return task.attempts().get(0) != this;
  }

  /**
   * Takes in a progress report without a byte count.
   *
   * @param now when it came, seconds
   * @param reported the sub-phase the attempt says it is in
   * @param fraction how much of that sub-phase it says is done, in [0,1]; other values are clipped,
   *     and what is no finite number says nothing
   */
  public void report(double now, SubPhase reported, double fraction) {
    take(now, reported, fraction, Basis.PROGRESS);
  }

  /**
   * Takes in a progress report with the bytes read so far. The bytes are believed in the main
   * sub-phase and where the task's size is known, unless the attempt reports a fraction that moves
   * and contradicts them by more than {@value #CONTRADICTION}: a columnar reader, say, that skips
   * most of its split. What it is that reads, the attempts of a phase have in common: once one has
   * contradicted its bytes, the fractions of all are believed, since another that has just begun
   * would look slow by its bytes until it had contradicted them too.
   *
   * @param bytesRead how many bytes of the task's input have been read, at least 0; for the others
   *     see {@link #report(double, SubPhase, double)}
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
   * How far bytes and fraction may lie apart before the bytes are no longer believed; and how far
   * progress may fall back before it is taken to have begun anew.
   */
  static final double CONTRADICTION = 0.1;

  /** Samples that the moving average keeps for each period. */
  private static final int SAMPLES_A_TICK = 2;

  /**
   * The attempt went from one sub-phase to the next at a moment that is known exactly, and not just
   * to the precision of a report.
   */
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

  /** Whether a report of that time and sub-phase tells of the present, and not of the past. */
  private boolean isNews(double now, SubPhase reported) {
    return state == AttemptState.RUNNING
        && Double.isFinite(now)
        && !(now < lastReportAt)
        && (reported == subPhase || isAhead(reported));
  }

  /** The present sub-phase is measured from the next report on. */
  private void forgetPace() {
    window.clear();
    reports = 0;
    workAtStart = 0;
    workDoneAt = Double.NaN;
  }

  /**
   * The inputs of the phase are complete: from now on the attempt fetches at its own pace, and what
   * came before counts as one report.
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
   * A fetching attempt has fetched {@code bytes} with {@code fraction} of the map outputs. So much
   * is known of d before all maps are done: {@code bytes / fraction}, and that a reduce with more
   * to fetch than others is not slow.
   */
  public void fetched(long bytes, double fraction) {
    boolean usable = fraction > 0 && fraction <= 1 && bytes > 0;
    if (usable && state == AttemptState.RUNNING && subPhase == SubPhase.SHUFFLE) {
      task.inputBytes(Math.round(bytes / fraction));
    }
  }

  /**
   * What the whole shuffle would take without waiting for maps, for one that ends at {@code at}.
   */
  double fetchSeconds(double at, double whole) {
    fetch.progress(at, 1);
    return Math.min(whole, fetch.fullSeconds());
  }

  private void take(double now, SubPhase reported, double fraction, Basis by) {
    if (!isNews(now, reported)) {
      return;
    }
    task.phase().correlatedStall().onReport(this, now);
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
    boolean stoodStill = work > known && task.phase().correlatedStall().unsettled(this);
    if (!sameBasis || known - work > CONTRADICTION || stoodStill) {
      forgetPace();
      basis = by;
    } else {
      work = Math.max(work, known);
    }
    if (Double.isNaN(subPhaseStartedAt)) {
      // Nearly done when first heard of: its start cannot be told from its work.
      boolean heardOfLate = work >= 1 - task.phase().settings().minProgress();
      subPhaseStartedAt = heardOfLate ? launchedAt : now;
      if (isFirst && !heardOfLate) {
        task.phase().schedulingLag().firstReport(now - launchedAt, isCopy());
      }
    }
    sample(now, work);
    lastReportAt = now;
    heardOfOthers = task.phase().onReport(this);
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

  /** How long it must have worked before its first report, at the pace it has shown since. */
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

  /** The attempt ended, in {@code SUCCEEDED}, {@code KILLED} or {@code FAILED}. */
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
    state = how;
    task.attemptEnded(this, wasRunning);
  }

  /**
   * The moving average of this attempt's rate in its present sub-phase at {@code now}. Once
   * progress is overdue by more than half a period, because no report comes or because reports tell
   * of none, the time since counts as time without progress (Mantri section 5.5): the rate falls,
   * and is 0 once the whole window has passed without any work.
   *
   * <p>Reports that are missing count as reports without progress also where too few have come yet:
   * once as many are due as are needed, the rate is the mean since the attempt began to work, with
   * the head start that attempts usually have at their first report.
   *
   * <p>An attempt that was launched and never heard of has stopped, too, once the whole window has
   * passed on top of twice the longest time that any attempt took until it was heard of: on a busy
   * machine a process may start many times slower than its peers elsewhere. The longest time is
   * enough where its peers on the machine are missing as well ({@link PhaseModel#isSilent}). And so
   * has one of which nothing was heard for the whole window since it went into its sub-phase. While
   * others are heard of it takes less ({@link PhaseModel#isMissing}).
   *
   * @return fraction of the sub-phase per second, 0 included; NaN while too few reports have come
   */
  public double rateOrNaN(double now) {
    double tick = task.phase().tick(subPhase);
    double width = task.phase().windowSeconds(subPhase);
    if (window.isEmpty()) {
      boolean neverHeardOf = Double.isNaN(subPhaseStartedAt);
      double start = neverHeardOf ? task.phase().schedulingLag().longestStart() : 0;
      boolean alone = !(neverHeardOf && task.phase().isSilent(machineNumber, now));
      boolean stopped = silence(now) > (alone ? 2 * start + width : start);
      return stopped ? 0 : Double.NaN;
    }
    if (task.phase().isMissing(this, now)) {
      return 0;
    }
    double end = lastProgressAt + Math.max(0, now - lastProgressAt - GRACE * tick);
    double rate = window.rate(end, width);
    boolean enough = reports >= task.phase().settings().minReports();
    double ofFew = enough ? Double.NaN : rateOfFewReports(end, tick);
    if (!Double.isNaN(ofFew) && end - lastProgressAt < width) {
      return ofFew;
    }
    // No work in less than a window is no sign of a stop: it may just have begun.
    boolean known = rate > 0 ? enough || end - firstWorkAt >= width : end - lastProgressAt >= width;
    return known ? rate : Double.NaN;
  }

  /** NaN unless so many reports are missing that together there should have been enough. */
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
   * Seconds since the last progress during which the attempt is taken to have gone on at its rate:
   * all of them until the next progress is overdue.
   */
  public double sinceProgress(double now) {
    return Math.min(now - lastProgressAt, patience());
  }

  /** For how many seconds after its last progress the next one is not overdue. */
  double patience() {
    return GRACE * task.phase().tick(subPhase);
  }

  /** Whether reports follow the progress of its present sub-phase, so that it has a rate there. */
  public boolean isPaced() {
    return subPhase == SubPhase.SHUFFLE || subPhase == task.phase().kind().main();
  }

  /** What is later than this many periods is overdue: half a period of jitter. */
  public static final double GRACE = 1.5;

  /** For how many seconds nothing has been heard beyond what is usual; 0 if none is due. */
  public double silence(double now) {
    double onReport = Double.isNaN(lastReportAt) ? launchedAt : lastReportAt;
    double since = subPhaseStartedAt > onReport ? subPhaseStartedAt : onReport;
    double overdue = now - since - patience();
    return overdue > 0 ? overdue : 0;
  }

  /**
   * Seconds that the whole of the present sub-phase would take at the mean pace from its first
   * report to its latest progress: the attempt's contribution to the phase's process rate. One that
   * has stopped since adds nothing to it: how long it will stay so says nothing of how fast tasks
   * are processed, and without end there is no mean.
   *
   * @return NaN until enough work is done for that to mean anything
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
   * The same for an attempt that has just done all of its sub-phase.
   *
   * @param whole the time since the sub-phase began, which counts where no pace was seen
   */
  double fullWorkSecondsAtEnd(double at, double whole) {
    double seen = 1 - workAtStart;
    boolean paceSeen = reports > 0 && seen > task.phase().settings().minProgress();
    return paceSeen ? Math.max(0, at - firstWorkAt) / seen : whole;
  }

  /** The fraction of the present sub-phase that the last report told of; 0 before the first. */
  public double work() {
    return window.isEmpty() ? 0 : window.lastWork();
  }

  /** When a report first told that all the work of the sub-phase is done; NaN before. */
  public double workDoneAt() {
    return workDoneAt;
  }

  /** When the present sub-phase began: the first one with the launch, unless more is known. */
  double subPhaseBegan() {
    boolean isFirst = subPhase == task.phase().kind().subPhases().get(0);
    return Double.isNaN(subPhaseStartedAt) && isFirst ? launchedAt : subPhaseStartedAt;
  }

  /** The task it runs. */
  public TaskModel task() {
    return task;
  }

  /** Its number, unique within the task. */
  public int number() {
    return number;
  }

  /** Where it runs; empty until it has been launched. */
  public Optional<String> machine() {
    return Optional.ofNullable(machine);
  }

  /** The phase's number of its machine, below 0 while that is not known. */
  int machineNumber() {
    return machineNumber;
  }

  /** Where it stands. */
  public AttemptState state() {
    return state;
  }

  /** The sub-phase it was last known to be in. */
  public SubPhase subPhase() {
    return subPhase;
  }

  /** When the present sub-phase began, or its first report came; NaN before any. */
  public double subPhaseStartedAt() {
    return subPhaseStartedAt;
  }

  /** What its progress is counted in. */
  public Basis basis() {
    return basis;
  }

  /** When it was asked for, seconds. */
  public double requestedAt() {
    return requestedAt;
  }

  /** When its container started it, seconds; NaN before. */
  public double launchedAt() {
    return launchedAt;
  }

  /** When it was last heard of, seconds; NaN before the first report. */
  public double lastReportAt() {
    return lastReportAt;
  }

  /** How many reports of the phase there had been when it was last heard of. */
  long heardOfOthers() {
    return heardOfOthers;
  }

  /** When it was last heard to have got on, seconds; NaN before the first report. */
  double progressedAt() {
    return lastProgressAt;
  }

  /** When it ended, seconds; NaN while it lives. */
  public double endedAt() {
    return endedAt;
  }
}
