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

/**
 * One job that has been submitted and has not ended; or a copy of it, which differs from it in the
 * luck of its attempts alone.
 */
public final class JobRun {
  /** Of tasks that are run again, those first whose output the others may be waiting for. */
  private static final Comparator<AttemptRun> SOURCES_FIRST =
      Comparator.comparingInt((AttemptRun attempt) -> attempt.phase().index())
          .thenComparingInt(attempt -> attempt.task().index())
          .thenComparingInt(AttemptRun::number);

  /** A job with more re-runs than both together is not going to end; chosen, far beyond any use. */
  private static final long MOST_RERUNS = 1000;

  private static final long MOST_RERUNS_PER_TASK = 100;

  private final Simulation simulation;
  private final int number;
  private final JobSpec spec;
  private final int copies;

  /** The job and then its copies, as they began; the same list in all of them. */
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
   * A job.
   *
   * @param copies that are to run, itself included
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

  /** One more copy of it. */
  JobRun newCopy() {
    return new JobRun(simulation, number, spec, copies, together);
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
    if (attempt.kind() == AttemptRun.Kind.RECOMPUTATION) {
      remakes.add(attempt);
    } else {
      (attempt.phase() == early ? moreOfEarly : more).add(attempt);
    }
  }

  /**
   * The queue whose first attempt is to get a slot next; null if none of those beside first ones
   * is: lost outputs go first, and what began early waits until the tasks that it reads need no
   * slots.
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

  /** The phase of which a task is to begin next; null if all have begun. */
  PhaseRun nextToBegin() {
    if (phase.waiting() > 0) {
      return phase;
    }
    return early != null && early.waiting() > 0 ? early : null;
  }

  /** Whether it would take a slot. */
  boolean wantsSlots() {
    return !givenUp && (nextOfMore() != null || nextToBegin() != null);
  }

  /** Whether it would take a slot for a task that others of its tasks may be waiting for. */
  boolean wantsSlotsForInput() {
    return early != null && (hasWaiting(more) || phase.waiting() > 0);
  }

  /** Whether attempts of a phase wait for slots beside first ones. */
  boolean hasQueued(PhaseRun of) {
    return Stream.of(remakes, more, moreOfEarly)
        .flatMap(Queue::stream)
        .anyMatch(attempt -> attempt.phase() == of && !attempt.isOver());
  }

  /** Whether it would take a slot to make an output again. */
  boolean wantsSlotsForLostInput() {
    return hasWaiting(remakes);
  }

  /**
   * The attempt that gives its slot to one that makes an output again: of those that can do nothing
   * until outputs are there, one of the last phase, and the youngest; empty if there is none.
   */
  Optional<AttemptRun> waitsForInput() {
    return begun().stream()
        .flatMap(of -> of.waitForInput().stream())
        .max(
            Comparator.comparingInt((AttemptRun attempt) -> attempt.phase().index())
                .thenComparingDouble(AttemptRun::launchedAt));
  }

  /**
   * A task is run again for what was lost.
   *
   * @throws IllegalStateException if that has happened so often that the job would never end
   */
  void runAgain(TaskRun task) {
    reruns++;
    if (reruns > MOST_RERUNS + MOST_RERUNS_PER_TASK * spec.tasks()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "at %.0f s %s was to run again, the %d. time that a task of this job was, and a"
                  + " reader has missed an output %d times: the job of %d tasks loses more than it"
                  + " gets done; it needs lower losses (fewer failures, evictions or lost outputs),"
                  + " shorter tasks, or more slots",
              simulation.now(),
              task,
              reruns,
              missedOutputs,
              spec.tasks()));
    }
  }

  /** A reader has missed an output of one of its tasks. */
  void missedOutput() {
    missedOutputs++;
  }

  /** How often a reader has. */
  int missedOutputs() {
    return missedOutputs;
  }

  /** A phase has ended. */
  void ended(PhaseRun done, double now) {
    done.ended(now);
    ended.add(done);
    lastEnd = now;
  }

  /** Seconds for which attempts of its ended phases have held slots. */
  double slotSeconds() {
    double all = 0;
    for (PhaseRun phase : ended) {
      all += phase.count().slotSeconds();
    }
    return all;
  }

  /** Whether all of its phases have ended, or it was given up. */
  boolean isOver() {
    return givenUp || ended.size() == spec.phases().size();
  }

  /** It is a copy that will not end. */
  void giveUp() {
    givenUp = true;
  }

  /** Its phases that have begun, in their order. */
  List<PhaseRun> begun() {
    return Stream.of(ended.stream(), Stream.of(phase), Stream.ofNullable(early))
        .flatMap(phases -> phases)
        .distinct()
        .toList();
  }

  /** The job and its copies that have begun. */
  List<JobRun> together() {
    return together;
  }

  /** How many copies of it are to run, itself included. */
  int copies() {
    return copies;
  }

  /** Its number among the copies of the job; 0 for the job itself. */
  int copy() {
    return copy;
  }

  /** Whether it is a copy of another. */
  boolean isCopy() {
    return copy > 0;
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
