// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.model.TaskKind;
import io.drover.core.model.TaskModel;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.world.Overheads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** One task of a phase, and the attempts at it. */
public final class TaskRun {
  private final PhaseRun phase;
  private final int index;
  private final TaskModel model;
  private final List<AttemptRun> live = new ArrayList<>(1);
  private int[] fledFrom = new int[0];
  private int attempts;
  private double withoutRestart = Double.POSITIVE_INFINITY;
  private AttemptRun winner;
  private int timesDone;
  private boolean beingRemade;
  private boolean missed;
  private int undoneOn = -1;
  private int place = -1;

  TaskRun(PhaseRun phase, int index, TaskModel model) {
    this.phase = phase;
    this.index = index;
    this.model = model;
  }

  /** The number of its next attempt, which no other has in any copy of the job. */
  int nextAttempt() {
    return phase.job().copy() + phase.job().copies() * attempts++;
  }

  void asked(AttemptRun attempt) {
    live.add(attempt);
  }

  void ended(AttemptRun attempt) {
    live.remove(attempt);
  }

  void done(AttemptRun by) {
    if (winner != null) {
      throw new IllegalStateException(this + " is done twice");
    }
    winner = by;
    timesDone++;
  }

  /** Its output is lost, or feared to be: it is to be done again, rather elsewhere. */
  void undo() {
    beingRemade = true;
    undoneOn = winner.machine();
    winner = null;
    withoutRestart = Double.POSITIVE_INFINITY;
    if (model != null) {
      model.undone();
    }
  }

  /** Somebody waits for its output, which is being made again. */
  void miss() {
    missed = true;
  }

  /** Its output has been made again. */
  void remade() {
    beingRemade = false;
    missed = false;
  }

  /** Whether it is done again, or is to be. */
  boolean isBeingRemade() {
    return beingRemade;
  }

  /** Where its output was when it was last to be done again. */
  int undoneOn() {
    return undoneOn;
  }

  /** Whether somebody waits for its output, which is being made again. */
  boolean isMissed() {
    return missed;
  }

  /** How often it was done. */
  public int timesDone() {
    return timesDone;
  }

  /** Its first attempt is asked for, and gets its slot later. */
  void firstAsked(double now) {
    model.addAttempt(0, now);
  }

  /** An attempt is about to be killed in order to run elsewhere. */
  void fled(AttemptRun attempt) {
    fledFrom = Arrays.copyOf(fledFrom, fledFrom.length + 1);
    fledFrom[fledFrom.length - 1] = attempt.machine();
    withoutRestart = Math.min(withoutRestart, attempt.wouldEnd());
  }

  /** When it would have been done without its restarts, seconds; infinite if that is not known. */
  double withoutRestart() {
    return withoutRestart;
  }

  /** Whether an attempt of it should rather not run there: one does, or was in vain. */
  boolean avoids(int machine) {
    if (machine == undoneOn) {
      return true;
    }
    for (int fled : fledFrom) {
      if (fled == machine) {
        return true;
      }
    }
    for (int i = 0; i < live.size(); i++) {
      AttemptRun attempt = live.get(i);
      if (attempt.isRunning() && attempt.machine() == machine) {
        return true;
      }
    }
    return false;
  }

  /** Its place in the list of tasks that run; -1 if it does not. */
  int place() {
    return place;
  }

  void place(int value) {
    place = value;
  }

  /** What it has to do once it has its input. */
  Work work() {
    return Work.of(phase.spec(), bytes(), phase.overheads());
  }

  /** What core knows of it; null where the scheme does not ask core. */
  public TaskModel model() {
    return model;
  }

  /** The phase it belongs to. */
  public PhaseRun phase() {
    return phase;
  }

  /** Its place in the phase, from 0. */
  public int index() {
    return index;
  }

  /** Its input, bytes. */
  public long bytes() {
    return phase.spec().bytes(index);
  }

  /** How many times it was killed in order to be started anew. */
  public int restarts() {
    return fledFrom.length;
  }

  /** What it takes on a machine that is not slow once it has its input, seconds. */
  public double workSeconds() {
    return work().seconds();
  }

  /** Its attempts that wait or run. */
  public List<AttemptRun> live() {
    return Collections.unmodifiableList(live);
  }

  /** Whether an attempt has succeeded. */
  public boolean isDone() {
    return winner != null;
  }

  /** The attempt that has succeeded. */
  public Optional<AttemptRun> winner() {
    return Optional.ofNullable(winner);
  }

  /** What it has put out for others; only where that may be lost. */
  public Output output() {
    return phase.outputs().of(this);
  }

  @Override
  public String toString() {
    return "task " + index + " of " + phase;
  }

  /**
   * What a task has to do once it has its input, in seconds on a machine that is not slow.
   *
   * @param sortSeconds merging what was fetched; 0 for a map
   * @param mainSeconds mapping or reducing
   * @param wrapUpSeconds what comes after
   */
  record Work(double sortSeconds, double mainSeconds, double wrapUpSeconds) {

    /** The work of a task with so much input. */
    static Work of(PhaseSpec phase, long bytes, Overheads overheads) {
      double all = Math.max(overheads.leastWorkSeconds(), bytes * phase.secondsPerByte());
      double sort = phase.kind() == TaskKind.MAP ? 0 : all * overheads.sortShare();
      double wrapUp = all * overheads.wrapUpShare();
      return new Work(sort, all - sort - wrapUp, wrapUp);
    }

    /** All of it. */
    double seconds() {
      return sortSeconds + mainSeconds + wrapUpSeconds;
    }
  }
}
