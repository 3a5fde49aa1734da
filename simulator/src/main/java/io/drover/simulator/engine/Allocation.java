// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;

/**
 * Who gets the slots that are free: by fair sharing what jobs ask for, then clones under their
 * ceiling, which give way at once to what jobs ask for. A job that waits for a slot beside its
 * blocks leaves others to the jobs behind it (delay scheduling).
 */
final class Allocation {
  /** Draws of a slot before an attempt takes one on a machine that its task avoids. */
  private static final int DRAWS = 16;

  private final Simulation simulation;
  private final Slots slots;
  private final FairQueue queue = new FairQueue();
  private final CloneGate clones;
  private final Set<JobRun> mayStarve = new LinkedHashSet<>();

  Allocation(Simulation simulation, Slots slots) {
    this.simulation = simulation;
    this.slots = slots;
    this.clones = new CloneGate(simulation.settings().cluster());
  }

  /** What a job wants, or has, may have changed. */
  void wants(JobRun job) {
    queue.update(job);
  }

  /** Attempts of a job may hold slots while they wait for what the job needs slots to make. */
  void mayStarve(JobRun job) {
    mayStarve.add(job);
  }

  /** A job is over. */
  void jobIsOver(JobRun job) {
    mayStarve.remove(job);
  }

  void giveBack(AttemptRun attempt) {
    slots.giveBack(attempt.slot());
    attempt.phase().job().slotGivenBack();
  }

  /** Gives out what is free. */
  void run() {
    boolean gaveWay = serveJobs();
    if (slots.count() == 0 && !mayStarve.isEmpty()) {
      List.copyOf(mayStarve).forEach(this::swapForInput);
      mayStarve.removeIf(job -> !job.wantsSlotsForLostInput() && !job.wantsSlotsForInput());
    }
    gaveWay |= keepCeiling();
    clones.ceiling().observe(utilisation(0), gaveWay);
    while (clones.next() != null && queue.first() == null && slots.count() > 0) {
      if (!clones.ceiling().admits(utilisation(1))) {
        break;
      }
      AttemptRun clone = clones.next();
      clones.admitted();
      launch(clone);
    }
  }

  /** Whether clones had to give way. */
  private boolean serveJobs() {
    boolean gaveWay = false;
    List<JobRun> waitForLocality = new ArrayList<>();
    for (JobRun job = queue.first(); job != null; job = queue.first()) {
      if (slots.count() == 0) {
        AttemptRun clone = clones.newest();
        Optional<AttemptRun> givesWay = clone == null ? idle(job) : Optional.of(clone);
        if (givesWay.isEmpty()) {
          break;
        }
        simulation.kill(givesWay.get());
        gaveWay |= clone != null;
      }
      if (launchNext(job)) {
        queue.update(job);
      } else {
        queue.remove(job);
        waitForLocality.add(job);
      }
    }
    waitForLocality.forEach(queue::update);
    return gaveWay;
  }

  /**
   * Where all slots are taken, those of a job's attempts that wait for lost inputs go to the
   * attempts that make these again, whichever job is to get the next slot by fair sharing: it is
   * its own slots that the job uses.
   */
  private void swapForInput(JobRun job) {
    while (slots.count() == 0) {
      Optional<AttemptRun> givesWay = idle(job);
      if (givesWay.isEmpty()) {
        break;
      }
      simulation.requeue(givesWay.get());
      launchNext(job);
      queue.update(job);
    }
  }

  /**
   * An attempt of the job that waits for input which cannot be made for want of a slot. Else jobs
   * whose reduces hold all slots would wait for their maps for ever.
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

  /** Whether the job has taken a slot; else it leaves those that are free to others for now. */
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
    TaskRun task = phase.next(slots);
    phase.nextHasBegun();
    launch(simulation.first(task));
    return true;
  }

  private boolean launchBound(PhaseRun phase, BlockBinding binding) {
    Optional<BlockBinding.Bound> bound = binding.offer(slots, simulation.now());
    if (bound.isEmpty()) {
      binding.askAgainAt(simulation.now()).ifPresent(simulation::wakeAt);
      return false;
    }
    launch(simulation.first(phase.tasks().get(bound.get().block())), bound.get().slot());
    return true;
  }

  private void launch(AttemptRun attempt) {
    launch(attempt, slotFor(attempt));
  }

  private void launch(AttemptRun attempt, int slot) {
    slots.take(slot);
    simulation.launch(attempt, slot);
  }

  private int slotFor(AttemptRun attempt) {
    int local = localSlot(attempt);
    if (local >= 0) {
      return local;
    }
    int wish = attempt.phase().wish(attempt.task());
    boolean granted = wish >= 0 && slots.count(wish) > 0;
    int slot = granted ? slots.anyIn(wish) : slots.any();
    if (simulation.scheme().keepsApart()) {
      for (int draw = 1; draw < DRAWS && isAvoided(slot, attempt); draw++) {
        slot = slots.any();
      }
    }
    return slot;
  }

  /** A free slot beside the block of an attempt, if it may run there; -1 if there is none. */
  private int localSlot(AttemptRun attempt) {
    Optional<BlockBinding> binding = attempt.phase().binding();
    if (binding.isEmpty()) {
      return -1;
    }
    boolean apart = simulation.scheme().keepsApart();
    int block = attempt.task().index();
    return binding.get().localSlot(block, slots, slot -> !apart || !isAvoided(slot, attempt));
  }

  private boolean isAvoided(int slot, AttemptRun attempt) {
    return attempt.task().avoids(simulation.shape().machineOf(slot));
  }

  private boolean keepCeiling() {
    boolean killed = false;
    while (clones.ceiling().isAbove(utilisation(0)) && clones.newest() != null) {
      simulation.kill(clones.newest());
      killed = true;
    }
    return killed;
  }

  private double utilisation(int more) {
    int all = simulation.shape().slots() - slots.closed();
    return all == 0 ? 1 : (double) (all - slots.count() + more) / all;
  }

  CloneGate clones() {
    return clones;
  }

  Slots slots() {
    return slots;
  }
}
