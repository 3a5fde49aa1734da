// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.model.AttemptModel;
import io.drover.core.model.SubPhase;
import io.drover.simulator.engine.EventQueue.Event;
import io.drover.simulator.engine.TaskRun.Work;
import java.util.Optional;

/**
 * Simulates one attempt. A map starts, works while it reads, and wraps up; a reduce starts,
 * fetches, merges, works, and wraps up. Its progress is computed from the time, so reports cost no
 * events.
 */
public final class AttemptRun implements Event {
  /** Why an attempt was requested. */
  public enum Kind {
    /** The first attempt of the task. */
    ORIGINAL,
    /** In addition to a running attempt. */
    COPY,
    /** In place of an attempt that the scheme killed. */
    RESTART,
    /** With the first attempt, in case that one is slow, or in a copy of the job (Dolly). */
    CLONE,
    /** In place of a last attempt that gave way: a clone, or one that waited for its input. */
    REPLACEMENT,
    /** In place of one that was evicted, died with its machine, or freed its slot for its input. */
    REQUEUED,
    /** Because the output of the task is lost, or the scheme fears that it will be. */
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
  private int block = -1;
  private double factor;
  private double launchedAt;
  private double readyAt;
  private double endsAt;
  private double endedAt;
  private double doneAtEnd;
  private boolean succeeded;
  private Shuffle shuffle;

  /** Reads a map's block from another machine while the map works; null for all other attempts. */
  private Transfer read;

  AttemptRun(TaskRun task, int number, Kind kind, AttemptModel model) {
    this.task = task;
    this.number = number;
    this.kind = kind;
    this.model = model;
  }

  // --- events

  /** Sets the block that it reads. */
  void reads(int chosen) {
    block = chosen;
  }

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
    return binding.isPresent() && binding.get().isElsewhere(block, machine());
  }

  /** Starts the work. The attempt has its input from {@code at} on. */
  private void work(double at) {
    readyAt = at;
    stage = Stage.WORKING;
    endsAt = at + workSeconds();
  }

  /** Returns when the attempt ends or, before it has its input, when it begins to read. */
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

  /** Ends a map whose block has arrived if its work is finished, too. */
  private void readIsOver(double now) {
    if (now >= endsAt) {
      phase().job().simulation().attempts().finish(this);
    }
  }

  /** Tells a fetching attempt that there is more input. */
  void moreInput(double now) {
    if (stage == Stage.FETCHING) {
      shuffle.more(now);
    }
  }

  /** Returns whether it is a clone that has no slot yet, and may never get one. */
  boolean isWaitingClone() {
    return kind == Kind.CLONE && stage == Stage.WAITING;
  }

  /** Returns whether it has requested the input that is available. */
  boolean hasBegunToRead() {
    return stage != Stage.WAITING && stage != Stage.STARTING;
  }

  /** Returns how long its work takes in its slot once it has its input, seconds. */
  double workSeconds() {
    return work().seconds() * factor;
  }

  private Work work() {
    return Work.of(phase().spec(), bytes(), phase().overheads());
  }

  /** Starts the work once the input is there. A map's input arrives while it works. */
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

  // --- progress

  /** Reports the progress of the attempt to core. */
  void report(double now) {
    if (!isRunning() || now < launchedAt + phase().overheads().startSeconds()) {
      return;
    }
    Work work = work();
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

  /** Returns the share of its main work that is done, which never exceeds the share read. */
  private double worked(double done, double now) {
    double share = (done - work().sortSeconds()) / work().mainSeconds();
    return hasRead() ? share : Math.min(share, read.fraction(now));
  }

  private double wrappedUp(double done) {
    Work work = work();
    double before = work.sortSeconds() + work.mainSeconds();
    return Math.min(1, (done - before) / work.wrapUpSeconds());
  }

  /**
   * Returns the progress score that Hadoop shows, in [0,1]. For a map, two thirds are for the input
   * it has read and one third for its sort. For a reduce, shuffle, sort and reduce count one third
   * each.
   *
   * @param now seconds
   */
  public double score(double now) {
    if (stage == Stage.WAITING || stage == Stage.STARTING) {
      return 0;
    }
    Work work = work();
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
    return work().wrapUpSeconds() > 0 ? clip(wrappedUp(done)) : 1;
  }

  private static double clip(double share) {
    return Math.min(1, Math.max(0, share));
  }

  // --- properties

  /** Returns whether it holds a slot. */
  public boolean isRunning() {
    return stage != Stage.WAITING && stage != Stage.OVER;
  }

  /** Returns whether it has ended, or was given up before it began. */
  public boolean isOver() {
    return stage == Stage.OVER;
  }

  /** Returns whether it has succeeded. */
  public boolean hasSucceeded() {
    return succeeded;
  }

  /** Returns its task. */
  public TaskRun task() {
    return task;
  }

  /** Returns the block that it reads; the index of its task, unless the job samples its input. */
  int block() {
    return block;
  }

  /** Returns the size of what it reads, bytes. */
  long bytes() {
    return phase().spec().bytes(block);
  }

  /** Returns the phase of its task. */
  public PhaseRun phase() {
    return task.phase();
  }

  /** Returns its number among the attempts of its task, from 0. */
  public int number() {
    return number;
  }

  /** Returns why it was requested. */
  public Kind kind() {
    return kind;
  }

  /** Returns when it got its slot, seconds. */
  public double launchedAt() {
    return launchedAt;
  }

  /** Returns since when it has had its input, seconds; infinite if it is not working. */
  public double workedFrom() {
    return stage == Stage.WORKING ? readyAt : Double.POSITIVE_INFINITY;
  }

  /**
   * Returns the seconds from the beginning of its fetch until it had all of its input; 0 for a map
   * and for an attempt that has not begun to work. With slow start it includes the wait for the
   * input.
   */
  double fetchSeconds() {
    return readyAt - launchedAt - phase().overheads().startSeconds();
  }

  /** Returns when it will end by itself, seconds; infinite if it does not have all its input. */
  public double wouldEnd() {
    return stage == Stage.WORKING && hasRead() ? endsAt : Double.POSITIVE_INFINITY;
  }

  int slot() {
    return slot;
  }

  /** Returns its machine. It must have been launched. */
  public int machine() {
    return phase().job().simulation().shape().machineOf(slot);
  }

  /** Returns the rack of its machine. It must have been launched. */
  public int rack() {
    return phase().job().simulation().shape().rackOf(machine());
  }

  /** Returns when it ended, seconds. It must have ended. */
  public double endedAt() {
    return endedAt;
  }

  /** Returns for how many seconds it held its slot. It must have ended. */
  public double slotSeconds() {
    return endedAt - launchedAt;
  }

  /** Returns the progress score with which it ended, in [0,1]. */
  public double doneAtEnd() {
    return doneAtEnd;
  }

  /** Returns core's model of the attempt; null if the scheme does not use core. */
  public AttemptModel model() {
    return model;
  }
}
