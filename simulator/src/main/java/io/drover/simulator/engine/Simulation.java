// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.core.model.AttemptModel;
import io.drover.core.model.AttemptState;
import io.drover.simulator.engine.AttemptRun.Kind;
import io.drover.simulator.result.Outcome;
import io.drover.simulator.scheme.SampleChoice;
import io.drover.simulator.scheme.Scheme;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.workload.Workload;
import io.drover.simulator.world.ClusterShape;
import io.drover.simulator.world.Losses;
import io.drover.simulator.world.Slowness;
import java.util.Arrays;
import java.util.Iterator;
import java.util.OptionalInt;
import java.util.function.DoubleConsumer;
import java.util.function.IntConsumer;

/**
 * One workload on one cluster under one scheme, event by event. The same seed gives the same run.
 *
 * <p>Jobs get slots by fair sharing; a job's copies go before its tasks that have not begun. The
 * phases of a job follow one another: none begins before the one that it reads has ended, or, with
 * slow start, before so much of it has and its tasks need no more slots. Maps read at the same pace
 * wherever they run, or, if the settings have inputs, faster beside their blocks; reduces over the
 * links between racks. While it runs it checks that no slot is used twice and no task is done
 * twice, and at the end that all work was done, all slots were given back, and no link carried more
 * than it can.
 */
public final class Simulation {
  /** Seconds for which a clone is asked for. Modelled: after that the others are well ahead. */
  private static final double CLONE_PATIENCE = 10;

  private final Iterator<JobSpec> jobs;
  private final ClusterShape shape;
  private final Slowness slowness;
  private final Losses losses;
  private final Scheme scheme;
  private final SimulationSettings settings;
  private final IntConsumer progress;
  private final EventQueue queue = new EventQueue();
  private final RackLinks links;
  private final Allocation allocation;
  private final SchemeActions actions;
  private final Scans scans;
  private final Ledger ledger;
  private final Recomputations recomputations;
  private final Outages outages;
  private final Names names;
  private final InputBlocks inputs;
  private boolean allSubmitted;
  private int submitted;
  private int ended;
  private double now;

  /**
   * A run that has not begun, in which nothing is lost.
   *
   * @param progress is told how many jobs have ended
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
   * A run that has not begun.
   *
   * @param progress is told how many jobs have ended
   */
  public Simulation(
      Workload workload,
      ClusterShape shape,
      Slowness slowness,
      Losses losses,
      Scheme scheme,
      SimulationSettings settings,
      IntConsumer progress) {
    this.jobs = workload.jobs();
    this.shape = shape;
    this.slowness = slowness;
    this.losses = losses;
    this.scheme = scheme;
    this.settings = settings;
    this.progress = progress;
    this.links = new RackLinks(shape);
    this.allocation = new Allocation(this, new Slots(shape, settings.seed()));
    this.actions = new SchemeActions(this);
    this.scans = new Scans(this, scheme);
    ReworkCount rework = new ReworkCount();
    this.ledger = new Ledger(scheme.name(), shape.slots(), rework);
    this.recomputations = new Recomputations(this, scheme, losses, rework);
    this.outages = new Outages(this, losses, rework);
    this.names = new Names(shape);
    this.inputs = new InputBlocks(shape, names, settings);
    if (recomputations.happen()) {
      scheme.outputsMayBeLost(losses, shape.machines());
    }
  }

  /** Runs until the last job has ended. */
  public Outcome run() {
    scheduleNextJob();
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
    if (ended != submitted || allocation.slots().count() != open) {
      throw new IllegalStateException(
          submitted
              + " jobs were submitted and "
              + ended
              + " have ended; of "
              + open
              + " slots "
              + allocation.slots().count()
              + " are free");
    }
    ledger.verify();
  }

  // --- jobs and phases

  private void scheduleNextJob() {
    if (jobs.hasNext()) {
      JobSpec next = jobs.next();
      if (next.submitSeconds() < now) {
        throw new IllegalStateException("job " + next.id() + " comes before the one before it");
      }
      queue.add(next.submitSeconds(), at -> submit(next));
    } else {
      allSubmitted = true;
    }
  }

  private void submit(JobSpec spec) {
    ledger.submitted(now);
    JobRun job = new JobRun(this, submitted++, spec, scheme.copiesOfWholeJob(spec));
    begin(job);
    if (job.copies() > 1) {
      allocation.copies().ask(job);
      queue.add(now + CLONE_PATIENCE, at -> allocation.copies().withdraw(job));
    }
    scheduleNextJob();
  }

  /** A job, or a copy of it, begins. */
  void begin(JobRun job) {
    begin(job, 0, null);
  }

  private void begin(JobRun job, int index, PhaseRun source) {
    PhaseSpec spec = job.spec().phases().get(index);
    OptionalInt most = any(spec) ? scheme.upstreamTasks(spec) : OptionalInt.empty();
    if (most.isPresent() && scheme.asksCore()) {
      throw new IllegalStateException("core's model needs to know the tasks: " + scheme.name());
    }
    if (most.isPresent() && !losses.equals(Losses.NONE)) {
      throw new IllegalStateException(
          "job " + job.spec().id() + " samples; what such jobs lose is not modelled");
    }
    int candidates = most.isPresent() ? spec.blocks() : spec.tasks();
    PhaseRun phase = new PhaseRun(job, index, source, scheme.asksCore(), candidates, now);
    job.begin(phase);
    if (scheme.asksCore()) {
      if (scheme.largestFirst()) {
        phase.largestFirst();
      }
      for (TaskRun task : phase.tasks()) {
        task.firstAsked(now);
      }
    }
    if (source == null) {
      inputs.binding(phase, most).ifPresent(phase::bind);
    }
    if (phase.binding().isEmpty()) {
      spec.racks().ifPresent(racks -> phase.wish(folded(racks)));
    }
    if (phase.reads()) {
      scheme.racks(phase, network()).ifPresent(phase::wish);
    }
    allocation.wants(job);
    scans.begin(phase);
  }

  /** Whether any of more blocks than a phase needs will do. */
  private static boolean any(PhaseSpec spec) {
    return spec.blocks() > spec.tasks();
  }

  /** The links and slots as they are now. */
  NetworkView network() {
    return new NetworkView(shape, links, allocation.slots(), now);
  }

  /** A cluster with fewer racks than the trace has several of the trace's in one. */
  private int[] folded(int[] racks) {
    return Arrays.stream(racks).map(rack -> rack % shape.racks()).toArray();
  }

  /** Enough outputs of a phase are there: the scheme chooses K of them, or waits for more. */
  private void choose(PhaseRun phase) {
    if (phase.isDone() || phase.job().isOver() || phase.done() < phase.spec().tasks()) {
      return;
    }
    SampleChoice choice = scheme.choose(phase, network(), now);
    if (choice.outputs().isEmpty()) {
      if (choice.askAgainAt() < Double.POSITIVE_INFINITY) {
        queue.add(choice.askAgainAt(), at -> choose(phase));
      }
      return;
    }
    phase.fix(choice.outputs());
    for (TaskRun task : phase.tasks()) {
      if (!task.live().isEmpty()) {
        phase.givenUp(task);
        giveUpAll(task);
      }
    }
    phaseIsDone(phase);
  }

  /** Ends all attempts of a task, whatever becomes of it. */
  void giveUpAll(TaskRun task) {
    while (!task.live().isEmpty()) {
      giveUp(task.live().get(task.live().size() - 1));
    }
  }

  private void phaseIsDone(PhaseRun phase) {
    JobRun job = phase.job();
    job.ended(phase, now);
    if (hasNext(phase)) {
      if (job.early().isEmpty()) {
        begin(job, phase.index() + 1, phase);
      }
      job.earlyIsDue();
      job.phase().inputsAreReady(now);
      return;
    }
    ended++;
    allocation.copies().endOthers(job, ledger);
    recomputations.jobIsOver(job);
    allocation.jobIsOver(job);
    ledger.ended(job, now);
    scheme.ended(job);
    progress.accept(ended);
  }

  private static boolean hasNext(PhaseRun phase) {
    return phase.index() + 1 < phase.job().spec().phases().size();
  }

  /** Slow start: the next phase may begin, or find more to fetch. */
  private void partIsDone(PhaseRun phase) {
    JobRun job = phase.job();
    boolean enough = phase.everDone() >= settings.slowStart() * phase.spec().tasks();
    if (phase != job.phase() || !hasNext(phase) || !enough) {
      return;
    }
    if (job.early().isEmpty()) {
      begin(job, phase.index() + 1, phase);
    } else {
      job.early().get().moreInput(now);
    }
  }

  // --- attempts

  /** Asks for an attempt of a task beside, or in place of, those that it has had. */
  void ask(TaskRun task, Kind kind) {
    AttemptRun attempt = newAttempt(task, kind);
    task.phase().count().asked(kind);
    if (kind == Kind.CLONE) {
      allocation.clones().ask(attempt);
      queue.add(now + CLONE_PATIENCE, at -> withdraw(attempt));
    } else {
      task.phase().job().ask(attempt);
      allocation.wants(task.phase().job());
    }
    if (kind == Kind.REQUEUED || kind == Kind.RECOMPUTATION) {
      task.phase().job().runAgain(task);
      allocation.mayStarve(task.phase().job());
    }
  }

  /** A clone that has waited for long is not asked for any more: it would come too late. */
  private void withdraw(AttemptRun clone) {
    if (!clone.isRunning() && !clone.isOver()) {
      kill(clone);
    }
  }

  private AttemptRun newAttempt(TaskRun task, Kind kind) {
    int number = task.nextAttempt();
    AttemptModel model = task.model() == null ? null : task.model().addAttempt(number, now);
    AttemptRun attempt = new AttemptRun(task, number, kind, model);
    task.asked(attempt);
    return attempt;
  }

  /** The first attempt of a task, which gets its slot at once; its clones are asked for with it. */
  AttemptRun first(TaskRun task) {
    int number = task.nextAttempt();
    AttemptModel model = task.model() == null ? null : task.model().attempts().get(0);
    Kind kind = task.phase().job().isCopy() ? Kind.CLONE : Kind.ORIGINAL;
    AttemptRun attempt = new AttemptRun(task, number, kind, model);
    task.phase().count().asked(kind);
    task.asked(attempt);
    int copies = scheme.copiesFromTheStart(task.phase());
    for (int clone = 1; clone < copies; clone++) {
      ask(task, Kind.CLONE);
    }
    return attempt;
  }

  /** An attempt gets a slot. */
  void launch(AttemptRun attempt, int slot) {
    int machine = shape.machineOf(slot);
    double factor = scheme.factor(attempt.task(), attempt.number(), machine, slowness);
    attempt.launch(slot, factor * inputs.factor(attempt, machine), now);
    attempt.phase().launched(attempt);
    attempt.phase().job().slotTaken();
    ledger.launched(now);
    if (attempt.model() != null) {
      attempt.model().launched(now, names.machine(machine));
    }
    outages.launched(attempt, now);
    schedule(attempt);
  }

  /** Puts what is next to happen to an attempt into the queue. */
  void schedule(AttemptRun attempt) {
    queue.add(attempt.nextAt(), attempt);
  }

  /** What an attempt will fetch. */
  Shuffle shuffle(AttemptRun attempt) {
    return new Shuffle(attempt, shape, links, queue);
  }

  /** A map begins to read its block from another machine. */
  Transfer read(AttemptRun attempt, DoubleConsumer whenOver) {
    int machine = attempt.machine();
    double bytes = attempt.task().bytes();
    double cardSeconds = bytes / shape.nicBytesPerSecond();
    double[] share = inputs.sources(attempt, machine);
    Transfer read =
        new Transfer(whenOver, links, shape.rackOf(machine), share, bytes, cardSeconds, now);
    read.scheduleCard(queue);
    return read;
  }

  /** Gives out slots at a time at which nothing else may happen. */
  void wakeAt(double at) {
    queue.add(at, unused -> {});
  }

  /** An attempt has done its work. */
  void finish(AttemptRun attempt) {
    TaskRun task = attempt.task();
    task.done(attempt);
    end(attempt, AttemptState.SUCCEEDED);
    boolean isFirst = task.timesDone() == 1;
    if (isFirst) {
      task.phase().done(attempt);
    }
    giveUpAll(task);
    ledger.done(task);
    recomputations.made(attempt);
    if (task.phase().isOfAny()) {
      choose(task.phase());
    } else if (isFirst && task.phase().isDone()) {
      phaseIsDone(task.phase());
    } else if (isFirst) {
      partIsDone(task.phase());
    }
    allocation.wants(task.phase().job());
  }

  /**
   * Ends an attempt that has not done its work, be it in a slot or waiting for one. A task that is
   * left without any gets another: a clone may be the last one, and be killed as a clone.
   */
  void kill(AttemptRun attempt) {
    end(attempt, Kind.REPLACEMENT);
  }

  /** Ends an attempt that has lost its slot; its task gets another if it has none left. */
  void requeue(AttemptRun attempt) {
    end(attempt, Kind.REQUEUED);
  }

  private void end(AttemptRun attempt, Kind next) {
    giveUp(attempt);
    TaskRun task = attempt.task();
    if (task.live().stream().allMatch(AttemptRun::isWaitingClone)) {
      ask(task, task.isBeingRemade() ? Kind.RECOMPUTATION : next);
    }
  }

  /** Ends an attempt that has not done its work, whatever becomes of its task. */
  void giveUp(AttemptRun attempt) {
    end(attempt, AttemptState.KILLED);
    allocation.wants(attempt.phase().job());
  }

  private void end(AttemptRun attempt, AttemptState how) {
    boolean held = attempt.isRunning();
    attempt.end(how == AttemptState.SUCCEEDED, now);
    attempt.task().ended(attempt);
    if (attempt.model() != null) {
      attempt.model().ended(how, now);
    }
    if (held) {
      allocation.giveBack(attempt);
      attempt.phase().released(attempt);
      ledger.released(attempt, now);
      outages.released(attempt);
      recomputations.released(attempt);
      scheme.ended(attempt);
    }
  }

  // --- what others may know

  /** How many events there have been, or are to come: a measure of the work of the run. */
  public long events() {
    return queue.added();
  }

  /** The cluster. */
  public ClusterShape shape() {
    return shape;
  }

  Scheme scheme() {
    return scheme;
  }

  SimulationSettings settings() {
    return settings;
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

  /** Something is to happen. */
  void at(double time, Event event) {
    queue.add(time, event);
  }

  /** Whether all jobs have ended. */
  boolean isOver() {
    return allSubmitted && ended == submitted;
  }

  double now() {
    return now;
  }
}
