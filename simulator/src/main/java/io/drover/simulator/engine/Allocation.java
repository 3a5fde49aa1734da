// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.clone.CloneCeiling;
import io.drover.core.config.ClusterSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Gives out the free slots. Ordinary requests of jobs are served first, by fair sharing, and then
 * clones, up to their ceiling. A clone ends as soon as an ordinary request needs its slot. A job
 * that waits for a slot on a machine with its blocks leaves other slots to the jobs behind it
 * (delay scheduling).
 */
final class Allocation {
  /** How many slots are drawn before an attempt takes one on a machine that its task avoids. */
  private static final int DRAWS = 16;

  private final Simulation simulation;
  private final Slots slots;
  private final FairQueue queue = new FairQueue();
  private final CloneAdmission clones;
  private final JobCopies copies;
  private final Set<JobRun> mayStarve = new LinkedHashSet<>();

  /** Whether clones had to give way in the current round of allocation. */
  private boolean gaveWay;

  Allocation(Simulation simulation, Slots slots) {
    this.simulation = simulation;
    this.slots = slots;
    this.clones = new CloneAdmission(simulation.settings().cluster());
    this.copies = new JobCopies(simulation, clones.ceiling());
  }

  /** Updates the queue after the requests or the slots of a job may have changed. */
  void wants(JobRun job) {
    queueOf(job).update(job);
  }

  private FairQueue queueOf(JobRun job) {
    return job.isCopy() ? copies.queue() : queue;
  }

  /** Notes that attempts of a job may hold slots while they wait for input that needs slots. */
  void mayStarve(JobRun job) {
    mayStarve.add(job);
  }

  void jobIsOver(JobRun job) {
    mayStarve.remove(job);
    copies.withdraw(job);
    queueOf(job).remove(job);
  }

  void giveBack(AttemptRun attempt) {
    slots.giveBack(attempt.slot());
    attempt.phase().job().slotGivenBack();
  }

  /** Gives out the free slots. */
  void run() {
    gaveWay = false;
    serve(queue, this::makeRoom);
    if (slots.count() == 0 && !mayStarve.isEmpty()) {
      List.copyOf(mayStarve).forEach(this::swapForInput);
      mayStarve.removeIf(job -> !job.wantsSlotsForLostInput() && !job.wantsSlotsForInput());
    }
    keepCeiling();
    clones.ceiling().observe(utilisation(0), gaveWay);
    if (queue.first() == null) {
      copies.begin();
      serve(copies.queue(), copy -> isRoomForClone());
      while (clones.next() != null && isRoomForClone()) {
        launch(clones.admit());
      }
    }
  }

  private boolean isRoomForClone() {
    return slots.count() > 0 && clones.ceiling().admits(utilisation(1));
  }

  /**
   * Gives slots to the jobs of a queue.
   *
   * @param room returns whether there is a slot for the first job in the queue
   */
  private void serve(FairQueue waiting, Predicate<JobRun> room) {
    List<JobRun> waitForLocality = new ArrayList<>();
    for (JobRun job = waiting.first(); job != null && room.test(job); job = waiting.first()) {
      if (launchNext(job)) {
        waiting.update(job);
      } else {
        waiting.remove(job);
        waitForLocality.add(job);
      }
    }
    waitForLocality.forEach(waiting::update);
  }

  /** Returns whether there is a free slot. If not, tries to end a clone or an idle attempt. */
  private boolean makeRoom(JobRun job) {
    if (slots.count() > 0) {
      return true;
    }
    if (clones.newest() != null) {
      newestGivesWay();
      return true;
    }
    Optional<AttemptRun> givesWay = idle(job);
    givesWay.ifPresent(simulation.attempts()::kill);
    return givesWay.isPresent();
  }

  /** Ends the newest clone. If it belongs to a copy of a job, ends the whole copy. */
  private void newestGivesWay() {
    AttemptRun clone = clones.newest();
    if (clone.phase().job().isCopy()) {
      copies.giveUp(clone.phase().job());
    } else {
      simulation.attempts().kill(clone);
    }
    gaveWay = true;
  }

  /**
   * If all slots are taken, moves a job's slots from attempts that wait for lost inputs to those
   * that make these inputs again. Fair sharing does not matter here, because the job uses its own
   * slots.
   */
  private void swapForInput(JobRun job) {
    while (slots.count() == 0) {
      Optional<AttemptRun> givesWay = idle(job);
      if (givesWay.isEmpty()) {
        break;
      }
      simulation.attempts().requeue(givesWay.get());
      launchNext(job);
      wants(job);
    }
  }

  /**
   * Returns an attempt of the job that waits for input for which there is no slot. Without its
   * slot, a job whose reduces hold all slots would wait for its maps forever.
   */
  private static Optional<AttemptRun> idle(JobRun job) {
    Optional<AttemptRun> waiting =
        job.wantsSlotsForLostInput() ? job.waitsForInput() : Optional.empty();
    return waiting.isPresent() || !job.wantsSlotsForInput() ? waiting : youngestOfEarly(job);
  }

  private static Optional<AttemptRun> youngestOfEarly(JobRun job) {
    return job.early().orElseThrow().running().stream()
        .flatMap(task -> task.live().stream())
        .filter(AttemptRun::isRunning)
        .max(Comparator.comparingDouble(AttemptRun::launchedAt));
  }

  /** Launches the next attempt of a job; false if the job leaves the free slots to others. */
  private boolean launchNext(JobRun job) {
    Queue<AttemptRun> more = job.nextOfMore();
    if (more != null) {
      launch(more.remove());
      return true;
    }
    PhaseRun phase = job.nextToBegin();
    if (phase.binding().isPresent()) {
      return launchBound(phase, phase.binding().get());
    }
    TaskRun task = phase.tasks().get(phase.starts().begin(slots));
    launch(simulation.attempts().first(task));
    return true;
  }

  private boolean launchBound(PhaseRun phase, BlockBinding binding) {
    Optional<BlockBinding.Bound> bound = binding.offer(slots, simulation.now());
    if (bound.isEmpty()) {
      binding.askAgainAt(simulation.now()).ifPresent(simulation::wakeAt);
      return false;
    }
    launch(simulation.attempts().first(phase.begin(bound.get().block())), bound.get().slot());
    return true;
  }

  private void launch(AttemptRun attempt) {
    launch(attempt, slotFor(attempt));
  }

  private void launch(AttemptRun attempt, int slot) {
    slots.take(slot);
    if (attempt.phase().job().isCopy()) {
      clones.runs(attempt);
    }
    simulation.attempts().launch(attempt, slot);
  }

  private int slotFor(AttemptRun attempt) {
    int local = localSlot(attempt);
    if (local >= 0) {
      return local;
    }
    int wish = attempt.phase().starts().wish(attempt.task().index());
    boolean granted = wish >= 0 && slots.count(wish) > 0;
    int slot = granted ? slots.anyIn(wish) : slots.any();
    if (simulation.scheme().hasAntiAffinity()) {
      for (int draw = 1; draw < DRAWS && isAvoided(slot, attempt); draw++) {
        slot = slots.any();
      }
    }
    return slot;
  }

  /** Returns a free slot on a machine with an attempt's block; -1 if there is none it may take. */
  private int localSlot(AttemptRun attempt) {
    Optional<BlockBinding> binding = attempt.phase().binding();
    if (binding.isEmpty()) {
      return -1;
    }
    boolean apart = simulation.scheme().hasAntiAffinity();
    return binding
        .get()
        .localSlot(attempt.task().block(), slots, slot -> !apart || !isAvoided(slot, attempt));
  }

  private boolean isAvoided(int slot, AttemptRun attempt) {
    return attempt.task().avoids(simulation.shape().machineOf(slot));
  }

  private void keepCeiling() {
    while (clones.ceiling().isAbove(utilisation(0)) && clones.newest() != null) {
      newestGivesWay();
    }
  }

  /** Returns the share of the slots that would be in use with {@code more} additional ones. */
  double utilisation(int more) {
    int all = simulation.shape().slots() - slots.closed();
    return all == 0 ? 1 : (double) (all - slots.count() + more) / all;
  }

  CloneAdmission clones() {
    return clones;
  }

  JobCopies copies() {
    return copies;
  }

  Slots slots() {
    return slots;
  }

  /** Queues clones until they are admitted, and tracks running clones, which end newest first. */
  static final class CloneAdmission {
    private final CloneCeiling ceiling;
    private final Deque<AttemptRun> waiting = new ArrayDeque<>();
    private final List<AttemptRun> running = new ArrayList<>();

    CloneAdmission(ClusterSettings settings) {
      ceiling = new CloneCeiling(settings.maxUtilisation(), settings.hysteresis());
    }

    void ask(AttemptRun clone) {
      waiting.add(clone);
    }

    /** Returns the clone to be admitted next; null if none waits. */
    AttemptRun next() {
      while (!waiting.isEmpty() && waiting.peek().isOver()) {
        waiting.remove();
      }
      return waiting.peek();
    }

    /** Admits the next clone. */
    AttemptRun admit() {
      AttemptRun clone = waiting.remove();
      running.add(clone);
      return clone;
    }

    /** Adds a running attempt of a job's copy, which gives way like a clone. */
    void runs(AttemptRun ofCopy) {
      running.add(ofCopy);
    }

    /** Returns the clone that gives way next; null if none runs. */
    AttemptRun newest() {
      while (!running.isEmpty() && running.get(running.size() - 1).isOver()) {
        running.remove(running.size() - 1);
      }
      return running.isEmpty() ? null : running.get(running.size() - 1);
    }

    CloneCeiling ceiling() {
      return ceiling;
    }
  }
}
