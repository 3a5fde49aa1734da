// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.engine.Actions.NetworkEstimate;
import io.drover.simulator.engine.EventQueue.Event;
import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.workload.Workload;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Losses;
import io.drover.simulator.world.Slowness;
import java.util.function.IntConsumer;

/**
 * Simulates one workload on one cluster under one scheme, event by event. The same seed gives the
 * same run.
 *
 * <p>Jobs get slots by fair sharing. A job's copies and restarts go before its tasks that have not
 * begun. The phases of a job follow one another: tasks of a phase get slots after the phase that it
 * reads has ended or, with slow start, after enough of that phase is done and it needs no more
 * slots. Maps read equally fast wherever they run or, if the settings have inputs, faster on
 * machines with their blocks. Reduces read over the links between racks. During the run the
 * simulation checks that no slot is used twice and no task is done twice. At the end it checks that
 * all work was done, all slots were given back, and no link carried more than it can.
 */
public final class Simulation {
  private final ClusterShape shape;
  private final Scheme scheme;
  private final SimulationSettings settings;
  private final EventQueue queue = new EventQueue();
  private final RackLinks links;
  private final Allocation allocation;
  private final SchemeActions actions;
  private final Scans scans;
  private final JobBooks ledger;
  private final Recomputations recomputations;
  private final Outages outages;
  private final JobFlow jobs;
  private final Attempts attempts;
  private double now;

  /**
   * Creates a run in which nothing is lost.
   *
   * @param progress receives the number of jobs that have ended
   */
  public Simulation(
      Workload workload,
      ClusterShape shape,
      Slowness slowness,
      Scheme scheme,
      SimulationSettings settings,
      IntConsumer progress) {
    this(workload, shape, slowness, Losses.NONE, scheme, settings, progress);
  }

  /**
   * Creates a run.
   *
   * @param progress receives the number of jobs that have ended
   */
  public Simulation(
      Workload workload,
      ClusterShape shape,
      Slowness slowness,
      Losses losses,
      Scheme scheme,
      SimulationSettings settings,
      IntConsumer progress) {
    this.shape = shape;
    this.scheme = scheme;
    this.settings = settings;
    this.links = new RackLinks(shape);
    this.allocation = new Allocation(this, new Slots(shape, settings.seed()));
    this.actions = new SchemeActions(this);
    this.scans = new Scans(this, scheme);
    ReworkCount rework = new ReworkCount();
    this.ledger = new JobBooks(scheme.name(), shape.slots(), rework);
    this.recomputations = new Recomputations(this, scheme, losses, rework);
    this.outages = new Outages(this, losses, rework);
    Names names = new Names(shape);
    InputBlocks inputs = new InputBlocks(shape, names, settings, scheme.readsAllLocally());
    this.jobs = new JobFlow(this, workload, losses, inputs, ledger, progress);
    this.attempts = new Attempts(this, queue, links, slowness, inputs, names, ledger);
    if (recomputations.happen()) {
      scheme.outputsMayBeLost(losses, shape.machines());
    }
  }

  /** Runs until the last job has ended. */
  public SchemeOutcome run() {
    jobs.scheduleNext();
    outages.begin();
    while (!queue.isEmpty()) {
      now = queue.nextTime();
      while (!queue.isEmpty() && queue.nextTime() == now) {
        queue.remove().happen(now);
      }
      links.schedule(queue, now);
      allocation.run();
      links.schedule(queue, now);
    }
    verify();
    return ledger.outcome();
  }

  private void verify() {
    links.verify(now);
    int open = shape.slots() - allocation.slots().closed();
    if (jobs.ended() != jobs.submitted() || allocation.slots().count() != open) {
      throw new IllegalStateException(
          jobs.submitted()
              + " jobs were submitted and "
              + jobs.ended()
              + " have ended; of "
              + open
              + " slots "
              + allocation.slots().count()
              + " are free");
    }
    ledger.verify();
  }

  NetworkView network() {
    return new NetworkView(shape, links, allocation.slots(), now);
  }

  /** Schedules an allocation of slots, in case nothing else happens at that time. */
  void wakeAt(double at) {
    queue.add(at, unused -> {});
  }

  /** Returns how many events were added so far, which measures the work of the run. */
  public long events() {
    return queue.added();
  }

  /** Returns the cluster. */
  public ClusterShape shape() {
    return shape;
  }

  Scheme scheme() {
    return scheme;
  }

  SimulationSettings settings() {
    return settings;
  }

  JobFlow jobs() {
    return jobs;
  }

  Attempts attempts() {
    return attempts;
  }

  Allocation allocation() {
    return allocation;
  }

  SchemeActions actions() {
    return actions;
  }

  Recomputations recomputations() {
    return recomputations;
  }

  Scans scans() {
    return scans;
  }

  Outages outages() {
    return outages;
  }

  void at(double time, Event event) {
    queue.add(time, event);
  }

  double now() {
    return now;
  }

  /** The current state of the links and slots. */
  record NetworkView(ClusterShape shape, RackLinks links, Slots idle, double now)
      implements NetworkEstimate {
    @Override
    public int racks() {
      return shape.racks();
    }

    @Override
    public double up(int rack) {
      return links.up(rack).capacity();
    }

    @Override
    public double down(int rack) {
      return links.down(rack).capacity();
    }

    @Override
    public int flowsUp(int rack) {
      return links.up(rack).active();
    }

    @Override
    public int flowsDown(int rack) {
      return links.down(rack).active();
    }

    @Override
    public double bytesUp(int rack) {
      return links.up(rack).left(now);
    }

    @Override
    public double bytesDown(int rack) {
      return links.down(rack).left(now);
    }

    @Override
    public int freeSlots(int rack) {
      return idle.count(rack);
    }

    @Override
    public int slots(int rack) {
      return shape.machinesIn(rack) * shape.slotsPerMachine();
    }
  }

  /** Lets the scheme scan each phase periodically while it has tasks to do. */
  static final class Scans {
    private final Simulation simulation;
    private final Scheme scheme;

    Scans(Simulation simulation, Scheme scheme) {
      this.simulation = simulation;
      this.scheme = scheme;
    }

    /** Schedules the first scan of a phase that begins. */
    void begin(PhaseRun phase) {
      double delay = scheme.firstScan(phase);
      if (delay < Double.POSITIVE_INFINITY) {
        await(phase, delay);
      }
    }

    /** Resumes the scans of a phase, if it had any, because one of its tasks is run again. */
    void beginAgain(PhaseRun phase) {
      if (phase.wasScanned() && !phase.isScanned()) {
        await(phase, phase.period());
      }
    }

    private void await(PhaseRun phase, double delay) {
      phase.isScanned(true);
      simulation.at(simulation.now() + delay, at -> scan(phase));
    }

    private void scan(PhaseRun phase) {
      if ((phase.isDone() && phase.remaking().isEmpty()) || phase.job().isOver()) {
        phase.isScanned(false);
        return;
      }
      if (phase.running().isEmpty() && !phase.job().wantsSlots()) {
        throw new IllegalStateException("a task of " + phase + " is neither running nor queued");
      }
      if (scheme.asksCore()) {
        for (TaskRun task : phase.running()) {
          for (AttemptRun attempt : task.live()) {
            attempt.report(simulation.now());
          }
        }
      }
      double delay = scheme.scan(phase, simulation.actions());
      await(phase, delay);
    }
  }
}
