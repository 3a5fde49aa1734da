// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** One task of a phase: how much it has to do, and the attempts at doing it. */
public final class TaskModel {
  private final PhaseModel phase;
  private final int index;

  /** Replaced when one is added: most tasks have one, and each pass looks at those of all. */
  private List<AttemptModel> attempts = List.of();

  private long inputBytes;
  private int live;
  private int running;
  private final Set<String> fledFrom = new HashSet<>(0);
  private Set<AttemptModel> clones = Set.of();
  private int kills;
  private int moves;
  private boolean done;
  private boolean committing;
  private boolean mayBeCopied = true;
  private double copiedAt = Double.NEGATIVE_INFINITY;
  private boolean pending;
  int runningSlot = -1;

  TaskModel(PhaseModel phase, int index) {
    this.phase = phase;
    this.index = index;
  }

  /**
   * Adds an attempt that was asked for at {@code now}.
   *
   * @param number the attempt's number, not yet taken in this task
   */
  public AttemptModel addAttempt(int number, double now) {
    AttemptModel attempt = new AttemptModel(this, number, now);
    attempts = with(attempt);
    live++;
    stateChanged();
    return attempt;
  }

  /** Notes that an attempt was asked for together with the first one, in case that it is slow. */
  public void cloned(AttemptModel attempt) {
    Set<AttemptModel> all = new HashSet<>(clones);
    all.add(attempt);
    clones = all;
  }

  /** Whether it has, or had, clones. */
  public boolean hasClones() {
    return !clones.isEmpty();
  }

  /** Whether an attempt of it is a clone. */
  public boolean isClone(AttemptModel attempt) {
    return clones.contains(attempt);
  }

  private List<AttemptModel> with(AttemptModel another) {
    List<AttemptModel> all = new ArrayList<>(attempts);
    all.add(another);
    return List.copyOf(all);
  }

  /** Sets d, the bytes the task has to process; 0 or less says that they are not known. */
  public void inputBytes(long bytes) {
    long known = Math.max(0, bytes);
    if (known != inputBytes) {
      phase.sizeChanged(inputBytes, known);
      inputBytes = known;
    }
  }

  /** d, the bytes the task has to process, where that is known. */
  public OptionalLong inputBytes() {
    return inputBytes > 0 ? OptionalLong.of(inputBytes) : OptionalLong.empty();
  }

  long inputBytesOrZero() {
    return inputBytes;
  }

  /** Notes that an attempt was killed in order to start the task anew, elsewhere. */
  public void restarted(AttemptModel killed) {
    kills++;
    killed.machine().ifPresent(fledFrom::add);
  }

  /**
   * Notes that, before this model was made, an attempt was killed in order to start the task anew.
   *
   * @param machine that it ran on
   */
  public void restartedBefore(String machine) {
    kills++;
    fledFrom.add(machine);
  }

  /** Notes that a copy was sent back because it had got an unsuitable machine. */
  public void moved() {
    moves++;
  }

  /** How often a copy was sent back because it had got an unsuitable machine. */
  public int moves() {
    return moves;
  }

  /** Whether the task was killed on that machine in order to run elsewhere. */
  public boolean fledFrom(String machine) {
    return fledFrom.contains(machine);
  }

  /** How many of its attempts were killed in order to start it anew. */
  public int kills() {
    return kills;
  }

  /** Notes that a copy was asked for at {@code now}. */
  public void copied(double now) {
    copiedAt = now;
  }

  /** When a copy was last asked for; negative infinity if none was. */
  public double copiedAt() {
    return copiedAt;
  }

  /** Notes whether one of the attempts has been granted, or is waiting for, its commit. */
  public void committing(boolean value) {
    committing = value;
  }

  /** Whether a commit is granted or waited for: nothing may be done to the task then. */
  public boolean isCommitting() {
    return committing;
  }

  /** Notes that the task gets no further copy, whatever one would save. */
  public void forbidCopies() {
    mayBeCopied = false;
  }

  /** Whether it may get a further copy, as far as is known. */
  public boolean mayBeCopied() {
    return mayBeCopied;
  }

  /** The task was done before anybody watched: by an earlier AppMaster, say. */
  public void doneBefore() {
    if (!done) {
      done = true;
      phase.taskDone();
      stateChanged();
    }
  }

  /** A finished task has to be done again: its output was lost. */
  public void undone() {
    if (done) {
      done = false;
      committing = false;
      phase.taskUndone();
      stateChanged();
    }
  }

  void attemptRunning() {
    running++;
    stateChanged();
  }

  void attemptEnded(AttemptModel attempt, boolean wasRunning) {
    live--;
    if (wasRunning) {
      running--;
    }
    if (attempt.state() == AttemptState.SUCCEEDED && !done) {
      done = true;
      phase.taskDone();
    }
    stateChanged();
  }

  private void stateChanged() {
    boolean isPending = live > 0 && running == 0 && !done;
    if (isPending != pending) {
      pending = isPending;
      phase.pendingChanged(isPending ? 1 : -1);
    }
    boolean isRunning = running > 0 && !done;
    if (isRunning && runningSlot < 0) {
      phase.enterRunning(this);
    } else if (!isRunning && runningSlot >= 0) {
      phase.leaveRunning(this);
    }
  }

  /** The attempt that was asked for last; there must be one. */
  public AttemptModel lastAttempt() {
    return attempts.get(attempts.size() - 1);
  }

  /**
   * When the last attempt that counts among the {@link #copies()} was asked for, or the last one at
   * all if none counts; there must be one.
   */
  public double lastRequestedAt() {
    for (int i = attempts.size() - 1; i >= 0 && !clones.isEmpty(); i--) {
      AttemptModel attempt = attempts.get(i);
      if (attempt.state().isLive() && !isWaitingClone(attempt)) {
        return attempt.requestedAt();
      }
    }
    return lastAttempt().requestedAt();
  }

  /**
   * c, the attempts that hold a container, or wait for one. A clone counts only once it has a
   * container: until then it may be withdrawn at any moment, so nobody should rely on it or wait
   * for it.
   */
  public int copies() {
    int waitingClones = 0;
    for (AttemptModel clone : clones) {
      waitingClones += isWaitingClone(clone) ? 1 : 0;
    }
    return live - waitingClones;
  }

  private boolean isWaitingClone(AttemptModel attempt) {
    return attempt.state() == AttemptState.REQUESTED
        && attempt.machine().isEmpty()
        && clones.contains(attempt);
  }

  /** How many attempts run in a container. */
  public int runningCopies() {
    return running;
  }

  /** Whether an attempt has succeeded. */
  public boolean isDone() {
    return done;
  }

  /** Its place in the phase, from 0. */
  public int index() {
    return index;
  }

  /** The phase it belongs to. */
  public PhaseModel phase() {
    return phase;
  }

  /** All its attempts so far, in the order in which they were asked for; it does not change. */
  public List<AttemptModel> attempts() {
    return attempts;
  }
}
