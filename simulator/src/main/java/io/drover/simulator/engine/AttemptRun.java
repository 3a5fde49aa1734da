// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.model.AttemptModel;
import io.drover.core.model.SubPhase;
import io.drover.simulator.engine.EventQueue.Event;
import io.drover.simulator.engine.TaskRun.Work;
import java.util.Optional;

/**
 * One attempt in its slot. A map starts, works while it reads, and wraps up; a reduce starts,
 * fetches, merges, works, and wraps up. How far it is follows from the time, so that reports cost
 * no events.
 */
public final class AttemptRun implements Event {
  /** Why an attempt was asked for. */
  public enum Kind {
    /** The task's first. */
    ORIGINAL,
    /** Beside one that runs. */
    COPY,
    /** In place of one that was killed. */
    RESTART,
    /** With the first, in case that it is slow, or in a copy of the job (Dolly). */
    CLONE,
    /** Since the last one was a clone, which gave way. */
    REPLACEMENT,
    /** Since the last one was evicted, died with its machine, or gave its slot for its input. */
    REQUEUED,
    /** Since the task's output is lost, or feared to be. */
    RECOMPUTATION
  }

  private enum Stage {
    WAITING,
    STARTING,
    FETCHING,
    WORKING,
    OVER
  }

  private final TaskRun task;
  private final int number;
  private final Kind kind;
  private final AttemptModel model;
  private Stage stage = Stage.WAITING;
  private int slot = -1;
  private double factor;
  private double launchedAt;
  private double readyAt;
  private double endsAt;
  private double endedAt;
  private double doneAtEnd;
  private boolean succeeded;
  private Shuffle shuffle;

  /** What reads a map's block from another machine while it works; null for any other attempt. */
  private Transfer read;

  AttemptRun(TaskRun task, int number, Kind kind, AttemptModel model) {
    this.task = task;
    this.number = number;
    this.kind = kind;
    this.model = model;
  }

  // --- what happens to it

  void launch(int slot, double factor, double now) {
    this.slot = slot;
    this.factor = factor;
    launchedAt = now;
    readyAt = now + phase().overheads().startSeconds();
    stage = Stage.STARTING;
    if (!phase().reads() && !readsElsewhere()) {
      work(readyAt);
    }
  }

  private boolean readsElsewhere() {
    Optional<BlockBinding> binding = phase().binding();
    return binding.isPresent() && binding.get().isElsewhere(task.index(), machine());
  }

  /** The attempt has its input from {@code at} on. */
  private void work(double at) {
    readyAt = at;
    stage = Stage.WORKING;
    endsAt = at + workSeconds();
  }

  /** When something is next to happen to it: its end, or that it begins to fetch. */
  double nextAt() {
    return stage == Stage.WORKING ? endsAt : readyAt;
  }

  private boolean hasRead() {
    return read == null || read.isOver();
  }

  @Override
  public void happen(double now) {
    if (stage == Stage.STARTING && now == readyAt && !phase().reads()) {
      read = phase().job().simulation().attempts().read(this, this::readIsOver);
      fetched(now);
    } else if (stage == Stage.STARTING && now == readyAt) {
      stage = Stage.FETCHING;
      shuffle = phase().job().simulation().attempts().shuffle(this);
      shuffle.more(now);
    } else if (stage == Stage.WORKING && now == endsAt && hasRead()) {
      phase().job().simulation().attempts().finish(this);
    }
  }

  /** All of a map's block has arrived: if it has worked on the rest, it is done. */
  private void readIsOver(double now) {
    if (now >= endsAt) {
      phase().job().simulation().attempts().finish(this);
    }
  }

  /** There is more to fetch. */
  void moreInput(double now) {
    if (stage == Stage.FETCHING) {
      shuffle.more(now);
    }
  }

  /** Whether it is a clone that has no slot yet, and may never get one. */
  boolean isWaitingClone() {
    return kind == Kind.CLONE && stage == Stage.WAITING;
  }

  /** Whether it has asked for what there is of its input. */
  boolean hasBegunToRead() {
    return stage != Stage.WAITING && stage != Stage.STARTING;
  }

  /** What its work takes where it runs once it has its input, seconds; it must have a slot. */
  double workSeconds() {
    return task.work().seconds() * factor;
  }

  /** Its input has arrived, or, of a map's, arrives as it works. */
  void fetched(double now) {
    work(now);
    phase().job().simulation().attempts().schedule(this);
  }

  void end(boolean well, double now) {
    doneAtEnd = well ? 1 : score(now);
    if (stage == Stage.FETCHING) {
      shuffle.giveUp(now);
    }
    if (read != null) {
      read.giveUp(now);
    }
    stage = Stage.OVER;
    succeeded = well;
    endedAt = now;
  }

  // --- what reports tell of it

  /**
   * Lets core know how far it is.
   *
   * @param now seconds
   */
  void report(double now) {
    if (!isRunning() || now < launchedAt + phase().overheads().startSeconds()) {
      return;
    }
    Work work = task.work();
    if (stage == Stage.FETCHING) {
      model.report(now, SubPhase.SHUFFLE, shuffle.fraction(now));
      return;
    }
    double done = (now - readyAt) / factor;
    if (done < work.sortSeconds()) {
      model.report(now, SubPhase.SORT, done / work.sortSeconds());
      return;
    }
    double main = worked(done, now);
    SubPhase of = main < 1 ? phase().spec().kind().main() : SubPhase.WRAP_UP;
    double fraction = main < 1 ? main : wrappedUp(done);
    model.report(now, of, fraction, Math.round(Math.min(1, main) * task.bytes()));
  }

  /** The share of its main work that is done; of what has not been read none can be. */
  private double worked(double done, double now) {
    double share = (done - task.work().sortSeconds()) / task.work().mainSeconds();
    return hasRead() ? share : Math.min(share, read.fraction(now));
  }

  private double wrappedUp(double done) {
    Work work = task.work();
    double before = work.sortSeconds() + work.mainSeconds();
    return Math.min(1, (done - before) / work.wrapUpSeconds());
  }

  /**
   * The progress score that Hadoop shows, in [0,1]: of a map what it has read, two thirds, and its
   * sort; of a reduce a third each for shuffle, sort and reduce.
   *
   * @param now seconds
   */
  public double score(double now) {
    if (stage == Stage.WAITING || stage == Stage.STARTING) {
      return 0;
    }
    Work work = task.work();
    if (stage == Stage.FETCHING) {
      return shuffle.fraction(now) / 3;
    }
    double done = (now - readyAt) / factor;
    double main = clip(worked(done, now));
    if (!phase().reads()) {
      return main * 2 / 3 + wrapShare(done) / 3;
    }
    double sorted = work.sortSeconds() > 0 ? clip(done / work.sortSeconds()) : 1;
    return (1 + sorted + main) / 3;
  }

  private double wrapShare(double done) {
    return task.work().wrapUpSeconds() > 0 ? clip(wrappedUp(done)) : 1;
  }

  private static double clip(double share) {
    return Math.min(1, Math.max(0, share));
  }

  // --- what it is

  /** Whether it holds a slot. */
  public boolean isRunning() {
    return stage != Stage.WAITING && stage != Stage.OVER;
  }

  /** Whether it has ended, or was given up before it began. */
  public boolean isOver() {
    return stage == Stage.OVER;
  }

  /** Whether it has ended well. */
  public boolean hasSucceeded() {
    return succeeded;
  }

  /** The task that it does. */
  public TaskRun task() {
    return task;
  }

  /** The phase of its task. */
  public PhaseRun phase() {
    return task.phase();
  }

  /** Its number among those of its task, from 0. */
  public int number() {
    return number;
  }

  /** Why it was asked for. */
  public Kind kind() {
    return kind;
  }

  /** When it got its slot, seconds. */
  public double launchedAt() {
    return launchedAt;
  }

  /** Since when it has had its input, seconds; infinite if it does not work. */
  public double workedFrom() {
    return stage == Stage.WORKING ? readyAt : Double.POSITIVE_INFINITY;
  }

  /**
   * From when it began to fetch until it had all of its input, seconds; 0 for a map, and for what
   * has not got as far. With slow start the wait for what it reads is in it.
   */
  double fetchSeconds() {
    return readyAt - launchedAt - phase().overheads().startSeconds();
  }

  /** When it would end if nobody hindered it, seconds; infinite if it has not all of its input. */
  public double wouldEnd() {
    return stage == Stage.WORKING && hasRead() ? endsAt : Double.POSITIVE_INFINITY;
  }

  /** Its slot; it must have had one. */
  int slot() {
    return slot;
  }

  /** Where it runs; it must have been launched. */
  public int machine() {
    return phase().job().simulation().shape().machineOf(slot);
  }

  /** The rack where it runs; it must have been launched. */
  public int rack() {
    return phase().job().simulation().shape().rackOf(machine());
  }

  /** When it ended, seconds; it must have. */
  public double endedAt() {
    return endedAt;
  }

  /** Seconds in its slot until it ended; it must have. */
  public double slotSeconds() {
    return endedAt - launchedAt;
  }

  /** The progress score with which it ended, in [0,1]. */
  public double doneAtEnd() {
    return doneAtEnd;
  }

  /** What core knows of it; null where the scheme does not ask core. */
  public AttemptModel model() {
    return model;
  }
}
