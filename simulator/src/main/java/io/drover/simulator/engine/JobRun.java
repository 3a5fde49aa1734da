// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.workload.JobSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.stream.Stream;

/** A submitted job, or a copy of it. They differ only in the random draws of their attempts. */
public final class JobRun {
  /** Orders tasks that are run again by phase, because later phases may wait for earlier ones. */
  private static final Comparator<AttemptRun> SOURCES_FIRST =
      Comparator.comparingInt((AttemptRun attempt) -> attempt.phase().index())
          .thenComparingInt(attempt -> attempt.task().index())
          .thenComparingInt(AttemptRun::number);

  /** Limits of re-runs, which add up; a job with more will never end. Chosen far above any use. */
  private static final long MOST_RERUNS = 1000;

  private static final long MOST_RERUNS_PER_TASK = 100;

  private final Simulation simulation;
  private final int number;
  private final JobSpec spec;
  private final int copies;

  /** The job and then its copies, in the order in which they began. All of them share this list. */
  private final List<JobRun> together;

  private final int copy;
  private final Deque<AttemptRun> more = new ArrayDeque<>();
  private final Deque<AttemptRun> moreOfEarly = new ArrayDeque<>();
  private final Queue<AttemptRun> remakes = new PriorityQueue<>(SOURCES_FIRST);
  private PhaseRun phase;
  private PhaseRun early;
  private int slots;
  private final List<PhaseRun> ended = new ArrayList<>(2);
  private double lastEnd;
  private int missedOutputs;
  private long reruns;
  private int place = -1;
  private boolean givenUp;

  /**
   * Creates a job.
   *
   * @param copies number of copies to run, the job itself included
   */
  JobRun(Simulation simulation, int number, JobSpec spec, int copies) {
    this(simulation, number, spec, copies, new ArrayList<>(1));
  }

  private JobRun(
      Simulation simulation, int number, JobSpec spec, int copies, List<JobRun> together) {
    this.simulation = simulation;
    this.number = number;
    this.spec = spec;
    this.copies = copies;
    this.together = together;
    this.copy = together.size();
    together.add(this);
  }

  /** Creates one more copy of the job. */
  JobRun newCopy() {
    return new JobRun(simulation, number, spec, copies, together);
  }

  /** Begins the first phase, or makes the next one the early phase. */
  void begin(PhaseRun next) {
    if (phase == null) {
      phase = next;
    } else {
      early = next;
    }
  }

  /** Makes the phase that began early the current one. */
  void earlyIsDue() {
    phase = early;
    early = null;
    more.addAll(moreOfEarly);
    moreOfEarly.clear();
  }

  /** Requests a slot for one more attempt of a task. It goes before tasks that have not begun. */
  void ask(AttemptRun attempt) {
    if (attempt.kind() == AttemptRun.Kind.RECOMPUTATION) {
      remakes.add(attempt);
    } else {
      (attempt.phase() == early ? moreOfEarly : more).add(attempt);
    }
  }

  /**
   * Returns the queue whose first attempt gets the next slot; null if none waits besides first
   * attempts. Lost outputs go first. A phase that began early waits until the tasks that it reads
   * need no slots.
   */
  Queue<AttemptRun> nextOfMore() {
    if (hasWaiting(remakes)) {
      return remakes;
    }
    if (hasWaiting(more)) {
      return more;
    }
    return phase.waiting() == 0 && hasWaiting(moreOfEarly) ? moreOfEarly : null;
  }

  private static boolean hasWaiting(Queue<AttemptRun> queue) {
    while (!queue.isEmpty() && queue.peek().isOver()) {
      queue.remove();
    }
    return !queue.isEmpty();
  }

  /** Returns the phase of which a task begins next; null if all tasks have begun. */
  PhaseRun nextToBegin() {
    if (phase.waiting() > 0) {
      return phase;
    }
    return early != null && early.waiting() > 0 ? early : null;
  }

  /** Returns whether it would take a slot. */
  boolean wantsSlots() {
    return !givenUp && (nextOfMore() != null || nextToBegin() != null);
  }

  /** Returns whether it would take a slot for a task whose output an early phase may wait for. */
  boolean wantsSlotsForInput() {
    return early != null && (hasWaiting(more) || phase.waiting() > 0);
  }

  /** Returns whether attempts of a phase other than first ones wait for slots. */
  boolean hasQueued(PhaseRun of) {
    return Stream.of(remakes, more, moreOfEarly)
        .flatMap(Queue::stream)
        .anyMatch(attempt -> attempt.phase() == of && !attempt.isOver());
  }

  /** Returns whether it would take a slot to make an output again. */
  boolean wantsSlotsForLostInput() {
    return hasWaiting(remakes);
  }

  /**
   * Returns the attempt that gives its slot to one that makes an output again: the youngest one, in
   * the last possible phase, that can do nothing until outputs are there. Returns empty if there is
   * none.
   */
  Optional<AttemptRun> waitsForInput() {
    return begun().stream()
        .flatMap(of -> of.waitForInput().stream())
        .max(
            Comparator.comparingInt((AttemptRun attempt) -> attempt.phase().index())
                .thenComparingDouble(AttemptRun::launchedAt));
  }

  /**
   * Notes that a task is run again.
   *
   * @throws IllegalStateException if that has happened so often that the job would never end
   */
  void runAgain(TaskRun task) {
    reruns++;
    if (reruns > MOST_RERUNS + MOST_RERUNS_PER_TASK * spec.tasks()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "at %.0f s, %s is to run again. This is re-run number %d of this job, and readers"
                  + " have missed an output %d times. The job of %d tasks loses more than it gets"
                  + " done; it needs lower losses (fewer failures, evictions or lost outputs),"
                  + " shorter tasks, or more slots",
              simulation.now(),
              task,
              reruns,
              missedOutputs,
              spec.tasks()));
    }
  }

  /** Notes that a reader has missed an output of one of its tasks. */
  void missedOutput() {
    missedOutputs++;
  }

  /** Returns how often readers have missed an output. */
  int missedOutputs() {
    return missedOutputs;
  }

  void ended(PhaseRun done, double now) {
    done.ended(now);
    ended.add(done);
    lastEnd = now;
  }

  /** Returns for how many seconds attempts of its ended phases have held slots. */
  double slotSeconds() {
    double all = 0;
    for (PhaseRun phase : ended) {
      all += phase.count().slotSeconds();
    }
    return all;
  }

  /** Returns whether all of its phases have ended, or it was given up. */
  boolean isOver() {
    return givenUp || ended.size() == spec.phases().size();
  }

  /** Marks a copy as given up. */
  void giveUp() {
    givenUp = true;
  }

  /** Returns its phases that have begun, in order. */
  List<PhaseRun> begun() {
    return Stream.of(ended.stream(), Stream.of(phase), Stream.ofNullable(early))
        .flatMap(phases -> phases)
        .distinct()
        .toList();
  }

  /** Returns the job and its copies that have begun. */
  List<JobRun> together() {
    return together;
  }

  /** Returns the number of copies to run, the job itself included. */
  int copies() {
    return copies;
  }

  /** Returns its number among the copies of the job; 0 for the job itself. */
  int copy() {
    return copy;
  }

  /** Returns whether it is a copy and not the job itself. */
  boolean isCopy() {
    return copy > 0;
  }

  void slotTaken() {
    slots++;
  }

  void slotGivenBack() {
    slots--;
  }

  /** Returns the number of slots that it holds. */
  int slots() {
    return slots;
  }

  /** Returns its place in the queue of jobs that want slots; -1 if it is not there. */
  int place() {
    return place;
  }

  void place(int value) {
    place = value;
  }

  Simulation simulation() {
    return simulation;
  }

  /** Returns the number of machines in the cluster. */
  public int machines() {
    return simulation.shape().machines();
  }

  /** Returns its number in the workload, from 0. */
  public int number() {
    return number;
  }

  /** Returns what the job has to do. */
  public JobSpec spec() {
    return spec;
  }

  /** Returns the current phase. */
  public PhaseRun phase() {
    return phase;
  }

  /** Returns the phase that has begun early, if there is one. */
  Optional<PhaseRun> early() {
    return Optional.ofNullable(early);
  }

  /** Returns its phases that have ended, in order. */
  public List<PhaseRun> ended() {
    return Collections.unmodifiableList(ended);
  }

  /** Returns when the last of these phases ended, seconds. */
  public double lastEnd() {
    return lastEnd;
  }
}
