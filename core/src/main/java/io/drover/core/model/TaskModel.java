// SPDX-License-Identifier: Apache-2.0
package io.drover.core.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Models one task of a phase: the size of its input, and its attempts. */
public final class TaskModel {
  private final PhaseModel phase;
  private final int index;

  /** Replaced when an attempt is added: most tasks have only one, and each pass reads all lists. */
  private List<AttemptModel> attempts = List.of();

  private long inputBytes;
  private double fractionFetched;
  private int live;
  private int running;
  private Set<String> fledFrom = Set.of();
  private Set<AttemptModel> clones = Set.of();
  private int kills;
  private int moves;
  private boolean done;
  private boolean committing;
  private boolean mayBeCopied = true;
  private double copiedAt = Double.NEGATIVE_INFINITY;
  private int copiesMade;
  private boolean pending;
  int runningSlot = -1;

  TaskModel(PhaseModel phase, int index) {
    this.phase = phase;
    this.index = index;
  }

  /**
   * Adds an attempt that was requested at {@code now}.
   *
   * @param number the attempt's number, not yet used in this task
   */
  public AttemptModel addAttempt(int number, double now) {
    AttemptModel attempt = new AttemptModel(this, number, now);
    List<AttemptModel> all = new ArrayList<>(attempts);
    all.add(attempt);
    attempts = List.copyOf(all);
    live++;
    stateChanged();
    return attempt;
  }

  /** Notes that an attempt is a clone, requested with the first one in case that one is slow. */
  public void cloned(AttemptModel attempt) {
    clones = clones.isEmpty() ? new HashSet<>() : clones; // most tasks have none
    clones.add(attempt);
  }

  /** Returns whether the task has or had clones. */
  public boolean hasClones() {
    return !clones.isEmpty();
  }

  /** Returns whether an attempt of the task is a clone. */
  public boolean isClone(AttemptModel attempt) {
    return clones.contains(attempt);
  }

  /** Sets d, the bytes that the task has to process; 0 or less if they are not known. */
  public void inputBytes(long bytes) {
    fractionFetched = bytes > 0 ? 1 : 0;
    long known = Math.max(0, bytes);
    if (known != inputBytes) {
      phase.sizes().changed(inputBytes, known);
      inputBytes = known;
    }
  }

  /**
   * Notes that an attempt has fetched {@code bytes} with {@code fraction} of the map outputs. This
   * estimates d before all maps are done, as {@code bytes / fraction}, so that a reduce with more
   * data to fetch than others does not count as slow. The attempt that has fetched most knows best.
   */
  public void fetched(long bytes, double fraction) {
    if (fraction > 0 && fraction >= fractionFetched && fraction <= 1 && bytes > 0) {
      inputBytes(Math.round(bytes / fraction));
      fractionFetched = fraction;
    }
  }

  /** Returns d, the bytes that the task has to process; empty if they are not known. */
  public OptionalLong inputBytes() {
    return inputBytes > 0 ? OptionalLong.of(inputBytes) : OptionalLong.empty();
  }

  long inputBytesOrZero() {
    return inputBytes;
  }

  /** Returns whether it has so much less to process than others that its pace says nothing. */
  public boolean isSmall() {
    return phase.sizes().isSmall(this);
  }

  /** Notes that an attempt was killed to start the task again on another machine. */
  public void restarted(AttemptModel killed) {
    kills++;
    killed.machine().ifPresent(this::flee);
  }

  /**
   * Notes that an attempt was killed to restart the task before this model was created.
   *
   * @param machine the machine that the attempt ran on
   */
  public void restartedBefore(String machine) {
    kills++;
    flee(machine);
  }

  private void flee(String machine) {
    fledFrom = fledFrom.isEmpty() ? new HashSet<>() : fledFrom;
    fledFrom.add(machine);
  }

  /** Notes that a copy was sent back because it was given an unsuitable machine. */
  public void moved() {
    moves++;
  }

  /** Returns how often a copy was sent back because of an unsuitable machine. */
  public int moves() {
    return moves;
  }

  /** Returns whether the task was killed on that machine to run elsewhere. */
  public boolean fledFrom(String machine) {
    return fledFrom.contains(machine);
  }

  /** Returns how many of its attempts were killed to start it again. */
  public int kills() {
    return kills;
  }

  /** Notes that a copy was requested at {@code now}. */
  public void copied(double now) {
    copiedAt = now;
    copiesMade++;
  }

  /** Notes that the copy requested last was refused, so that it does not count among those made. */
  public void copyRefused() {
    copiesMade--;
  }

  /** Returns how many copies were requested in all. */
  public int copiesMade() {
    return copiesMade;
  }

  /** Returns when a copy was last requested; negative infinity if none was. */
  public double copiedAt() {
    return copiedAt;
  }

  /** Notes whether one of the attempts is committing or waits for permission to commit. */
  public void committing(boolean value) {
    committing = value;
  }

  /** Returns whether a commit is granted or pending. The task must not be changed then. */
  public boolean isCommitting() {
    return committing;
  }

  /** Notes that the task gets no further copy, however much it would save. */
  public void forbidCopies() {
    mayBeCopied = false;
  }

  /** Returns whether the task may get a further copy, as far as is known. */
  public boolean mayBeCopied() {
    return mayBeCopied;
  }

  /** Notes that the task was done before this model existed: by an earlier AppMaster, say. */
  public void doneBefore() {
    if (!done) {
      done = true;
      phase.taskDone();
      stateChanged();
    }
  }

  /** Notes that the finished task has to run again because its output was lost. */
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

  /** Returns the attempt that was requested last. There must be one. */
  public AttemptModel lastAttempt() {
    return attempts.get(attempts.size() - 1);
  }

  /**
   * Returns when the last attempt that counts among the {@link #copies()} was requested; if none
   * counts, when the last attempt was. There must be one.
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
   * Returns c, the attempts that hold a container or wait for one. A clone counts only once it has
   * a container. Until then it may be withdrawn at any moment, so nothing should depend on it.
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

  /** Returns how many attempts run in a container. */
  public int runningCopies() {
    return running;
  }

  /** Returns whether an attempt has succeeded. */
  public boolean isDone() {
    return done;
  }

  /** Returns the index of the task in its phase, from 0. */
  public int index() {
    return index;
  }

  /** Returns the phase of the task. */
  public PhaseModel phase() {
    return phase;
  }

  /** Returns all attempts so far, in the order of their requests, as an immutable list. */
  public List<AttemptModel> attempts() {
    return attempts;
  }
}
