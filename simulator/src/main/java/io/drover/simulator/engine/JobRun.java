// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.workload.JobSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/** One job that has been submitted and has not ended. */
public final class JobRun {
  private final Simulation simulation;
  private final int number;
  private final JobSpec spec;
  private final Deque<AttemptRun> more = new ArrayDeque<>();
  private PhaseRun phase;
  private int slots;
  private final List<PhaseRun> ended = new ArrayList<>(2);
  private double slotSeconds;
  private double lastEnd;
  private int place = -1;

  JobRun(Simulation simulation, int number, JobSpec spec) {
    this.simulation = simulation;
    this.number = number;
    this.spec = spec;
  }

  void begin(PhaseRun next) {
    phase = next;
  }

  /** Asks for a slot for one more attempt of a task; it goes before tasks that have not begun. */
  void ask(AttemptRun attempt) {
    more.add(attempt);
  }

  /** The attempt that is to get a slot next, of those beside first ones; null if there is none. */
  AttemptRun nextOfMore() {
    while (!more.isEmpty() && more.peek().isOver()) {
      more.remove();
    }
    return more.peek();
  }

  /** Takes the attempt of {@link #nextOfMore} out. */
  void removeNextOfMore() {
    more.remove();
  }

  /** Whether it would take a slot. */
  boolean wantsSlots() {
    return nextOfMore() != null || phase.waiting() > 0;
  }

  /** A phase has ended. */
  void ended(PhaseRun done, double now) {
    slotSeconds += done.slotSeconds();
    ended.add(done);
    lastEnd = now;
  }

  /** Seconds for which attempts of its ended phases have held slots. */
  double slotSeconds() {
    return slotSeconds;
  }

  void slotTaken() {
    slots++;
  }

  void slotGivenBack() {
    slots--;
  }

  /** How many slots it holds. */
  int slots() {
    return slots;
  }

  /** Its place in the queue of those that want slots; -1 if it is not there. */
  int place() {
    return place;
  }

  void place(int value) {
    place = value;
  }

  Simulation simulation() {
    return simulation;
  }

  /** How many machines its cluster has. */
  public int machines() {
    return simulation.shape().machines();
  }

  /** Its number in the workload, from 0. */
  public int number() {
    return number;
  }

  /** What it has to do. */
  public JobSpec spec() {
    return spec;
  }

  /** The phase that it is in. */
  public PhaseRun phase() {
    return phase;
  }

  /** Its phases that have ended, in order. */
  public List<PhaseRun> ended() {
    return Collections.unmodifiableList(ended);
  }

  /** When the last of them has, seconds. */
  public double lastEnd() {
    return lastEnd;
  }
}
