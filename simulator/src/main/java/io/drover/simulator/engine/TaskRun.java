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

/** A task of a phase, and its attempts. */
public final class TaskRun {
  private final PhaseRun phase;
  private final int index;
  private final TaskModel model;
  private final List<AttemptRun> live = new ArrayList<>(1);
  private int[] fledFrom = new int[0];
  private int attempts;
  private int block;
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
    this.block = index;
  }

  /** Makes a block its own: the task stands for that block. */
  void reads(int chosen) {
    block = chosen;
    if (model != null) {
      model.inputBytes(bytes());
    }
  }

  /** Returns the number of its next attempt, which is unique among all copies of the job. */
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

  /** Marks the task to run again, preferably elsewhere: its output is lost or in danger. */
  void undo() {
    beingRemade = true;
    undoneOn = winner.machine();
    winner = null;
    withoutRestart = Double.POSITIVE_INFINITY;
    if (model != null) {
      model.undone();
    }
  }

  /** Notes that a reader waits for its output, which is being made again. */
  void miss() {
    missed = true;
  }

  /** Notes that its output has been made again. */
  void remade() {
    beingRemade = false;
    missed = false;
  }

  /** Returns whether it is being run again or waits for that. */
  boolean isBeingRemade() {
    return beingRemade;
  }

  /** Returns the machine that had its output when it was last marked to be run again. */
  int undoneOn() {
    return undoneOn;
  }

  /** Returns whether a reader waits for its output, which is being made again. */
  boolean isMissed() {
    return missed;
  }

  /** Returns how often it was done. */
  public int timesDone() {
    return timesDone;
  }

  /** Adds its first attempt, which waits for a slot, to core's model. */
  void firstAsked(double now) {
    model.addAttempt(0, now);
  }

  /** Notes that an attempt is about to be killed so that the task runs elsewhere. */
  void fled(AttemptRun attempt) {
    fledFrom = Arrays.copyOf(fledFrom, fledFrom.length + 1);
    fledFrom[fledFrom.length - 1] = attempt.machine();
    withoutRestart = Math.min(withoutRestart, attempt.wouldEnd());
  }

  /** Returns when it would have been done without its restarts, seconds; infinite if not known. */
  double withoutRestart() {
    return withoutRestart;
  }

  /**
   * Returns whether it avoids a machine: it runs there, was killed there or lost its output there.
   */
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

  /** Returns its position in the list of running tasks; -1 if it is not running. */
  int place() {
    return place;
  }

  void place(int value) {
    place = value;
  }

  /** Returns core's model of the task; null if the scheme does not use core. */
  public TaskModel model() {
    return model;
  }

  /** Returns its phase. */
  public PhaseRun phase() {
    return phase;
  }

  /** Returns its index in the phase, from 0. */
  public int index() {
    return index;
  }

  /** Returns the block that it stands for; its index, unless the job samples its input. */
  int block() {
    return block;
  }

  /** Returns the size of its input, bytes. */
  public long bytes() {
    return phase.spec().bytes(block);
  }

  /** Returns how often it was killed in order to start it anew. */
  public int restarts() {
    return fledFrom.length;
  }

  /** Returns how long its work takes on a machine that is not slow, seconds. Reading is extra. */
  public double workSeconds() {
    return Work.of(phase.spec(), bytes(), phase.overheads()).seconds();
  }

  /** Returns its attempts that wait or run. */
  public List<AttemptRun> live() {
    return Collections.unmodifiableList(live);
  }

  /** Returns whether an attempt has succeeded. */
  public boolean isDone() {
    return winner != null;
  }

  /** Returns the attempt that has succeeded. */
  public Optional<AttemptRun> winner() {
    return Optional.ofNullable(winner);
  }

  /** Returns its output for other tasks. Outputs must be subject to loss in this run. */
  public Output output() {
    return phase.outputs().of(this);
  }

  @Override
  public String toString() {
    return "task " + index + " of " + phase;
  }

  /**
   * The work of a task once it has its input, in seconds on a machine that is not slow.
   *
   * @param sortSeconds merging of the fetched data; 0 for a map
   * @param mainSeconds mapping or reducing
   * @param wrapUpSeconds what comes after
   */
  record Work(double sortSeconds, double mainSeconds, double wrapUpSeconds) {

    /** Returns the work of a task with so much input. */
    static Work of(PhaseSpec phase, long bytes, Overheads overheads) {
      double all = Math.max(overheads.leastWorkSeconds(), bytes * phase.secondsPerByte());
      double sort = phase.kind() == TaskKind.MAP ? 0 : all * overheads.sortShare();
      double wrapUp = all * overheads.wrapUpShare();
      return new Work(sort, all - sort - wrapUp, wrapUp);
    }

    double seconds() {
      return sortSeconds + mainSeconds + wrapUpSeconds;
    }
  }
}
