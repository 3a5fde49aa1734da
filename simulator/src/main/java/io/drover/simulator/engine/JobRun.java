// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.workload.JobSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** One job that has been submitted and has not ended. */
public final class JobRun {
  private final Simulation simulation;
  private final int number;
  private final JobSpec spec;
  private final Deque<AttemptRun> more = new ArrayDeque<>();
  private final Deque<AttemptRun> moreOfEarly = new ArrayDeque<>();
  private PhaseRun phase;
  private PhaseRun early;
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

  /** A phase begins: its first one, or early, while the one that it reads goes on. */
  void begin(PhaseRun next) {
    if (phase == null) {
      phase = next;
    } else {
      early = next;
    }
  }

  /** The phase that began early is the one that the job is in. */
  void earlyIsDue() {
    phase = early;
    early = null;
    more.addAll(moreOfEarly);
    moreOfEarly.clear();
  }

  /** Asks for a slot for one more attempt of a task; it goes before tasks that have not begun. */
  void ask(AttemptRun attempt) {
    (attempt.phase() == early ? moreOfEarly : more).add(attempt);
  }

  /**
   * The queue whose first attempt is to get a slot next; null if none of those beside first ones
   * is: what began early waits until the tasks that it reads need no slots.
   */
  Deque<AttemptRun> nextOfMore() {
    if (hasWaiting(more)) {
      return more;
    }
    return phase.waiting() == 0 && hasWaiting(moreOfEarly) ? moreOfEarly : null;
  }

  private static boolean hasWaiting(Deque<AttemptRun> queue) {
    while (!queue.isEmpty() && queue.peek().isOver()) {
      queue.remove();
    }
    return !queue.isEmpty();
  }

  /** The phase of which a task is to begin next; null if all have begun. */
  PhaseRun nextToBegin() {
    if (phase.waiting() > 0) {
      return phase;
    }
    return early != null && early.waiting() > 0 ? early : null;
  }

  /** Whether it would take a slot. */
  boolean wantsSlots() {
    return nextOfMore() != null || nextToBegin() != null;
  }

  /** Whether it would take a slot for a task that others of its tasks may be waiting for. */
  boolean wantsSlotsForInput() {
    return early != null && (hasWaiting(more) || phase.waiting() > 0);
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

  /** The phase that has begun early. */
  Optional<PhaseRun> early() {
    return Optional.ofNullable(early);
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
