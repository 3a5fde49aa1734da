// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.engine.Scheme.SampleChoice;
import io.drover.simulator.workload.JobSpec;
import io.drover.simulator.workload.PhaseSpec;
import io.drover.simulator.workload.Workload;
import io.drover.simulator.world.Losses;
import java.util.Arrays;
import java.util.Iterator;
import java.util.OptionalInt;
import java.util.function.IntConsumer;

/** Moves jobs through a run: each is submitted, passes through its phases, and ends. */
final class JobFlow {
  /** How long a job waits for copies of itself, seconds. Modelled: as for a clone. */
  private static final double COPY_PATIENCE = Attempts.CLONE_PATIENCE;

  private final Simulation simulation;
  private final Iterator<JobSpec> jobs;
  private final Scheme scheme;
  private final Losses losses;
  private final InputBlocks inputs;
  private final JobBooks ledger;
  private final IntConsumer progress;
  private boolean allSubmitted;
  private int submitted;
  private int ended;

  /**
   * Creates the flow of a workload whose jobs have not been submitted.
   *
   * @param inputs where blocks lie
   * @param progress receives the number of jobs that have ended
   */
  JobFlow(
      Simulation simulation,
      Workload workload,
      Losses losses,
      InputBlocks inputs,
      JobBooks ledger,
      IntConsumer progress) {
    this.simulation = simulation;
    this.jobs = workload.jobs();
    this.scheme = simulation.scheme();
    this.losses = losses;
    this.inputs = inputs;
    this.ledger = ledger;
    this.progress = progress;
  }

  /** Schedules the submission of the next job. */
  void scheduleNext() {
    if (jobs.hasNext()) {
      JobSpec next = jobs.next();
      if (next.submitSeconds() < simulation.now()) {
        throw new IllegalStateException(
            "job " + next.id() + " is submitted before its predecessor");
      }
      simulation.at(next.submitSeconds(), at -> submit(next));
    } else {
      allSubmitted = true;
    }
  }

  private void submit(JobSpec spec) {
    double now = simulation.now();
    ledger.submitted(now);
    JobRun job = new JobRun(simulation, submitted++, spec, scheme.copiesOfWholeJob(spec));
    begin(job);
    if (job.copies() > 1) {
      JobCopies copies = simulation.allocation().copies();
      copies.ask(job);
      simulation.at(now + COPY_PATIENCE, at -> copies.withdraw(job));
    }
    scheduleNext();
  }

  /** Begins a job or a copy of a job. */
  void begin(JobRun job) {
    begin(job, 0, null);
  }

  private void begin(JobRun job, int index, PhaseRun source) {
    PhaseSpec spec = job.spec().phases().get(index);
    OptionalInt most = any(spec) ? scheme.upstreamTasks(spec) : OptionalInt.empty();
    if (most.isPresent() && !losses.equals(Losses.NONE)) {
      throw new IllegalStateException(
          "job " + job.spec().id() + " samples its input; losses of such jobs are not modelled");
    }
    int candidates = most.orElse(spec.tasks());
    PhaseRun phase =
        new PhaseRun(job, index, source, scheme.asksCore(), candidates, simulation.now());
    job.begin(phase);
    if (scheme.asksCore()) {
      if (scheme.largestFirst() && most.isEmpty()) {
        phase.largestFirst();
      }
      for (TaskRun task : phase.tasks()) {
        task.firstAsked(simulation.now());
      }
    }
    if (source == null) {
      inputs.binding(phase, most).ifPresent(phase::bind);
    }
    if (phase.binding().isEmpty()) {
      spec.racks().ifPresent(racks -> phase.starts().wish(folded(racks)));
    }
    if (phase.reads()) {
      scheme.racks(phase, simulation.network()).ifPresent(phase.starts()::wish);
    }
    simulation.allocation().wants(job);
    simulation.scans().begin(phase);
  }

  /** Returns whether a phase needs any K of a larger number of blocks. */
  private static boolean any(PhaseSpec spec) {
    return spec.blocks() > spec.tasks();
  }

  /** Maps racks of the trace to racks of the cluster, which may have fewer racks. */
  private int[] folded(int[] racks) {
    int ours = simulation.shape().racks();
    return Arrays.stream(racks).map(rack -> rack % ours).toArray();
  }

  /**
   * Handles a task that is done.
   *
   * @param isFirst whether it is done for the first time
   */
  void taskIsDone(PhaseRun phase, boolean isFirst) {
    if (phase.isOfAny()) {
      choose(phase);
    } else if (isFirst && phase.isDone()) {
      phaseIsDone(phase);
    } else if (isFirst) {
      partIsDone(phase);
    }
  }

  /** Lets the scheme choose K outputs of a phase, or wait for more, once there are K of them. */
  private void choose(PhaseRun phase) {
    if (phase.isDone() || phase.job().isOver() || phase.done() < phase.spec().tasks()) {
      return;
    }
    SampleChoice choice = scheme.choose(phase, simulation.network(), simulation.now());
    if (choice.outputs().isEmpty()) {
      if (choice.askAgainAt() < Double.POSITIVE_INFINITY) {
        simulation.at(choice.askAgainAt(), at -> choose(phase));
      }
      return;
    }
    phase.fix(choice.outputs());
    for (TaskRun task : phase.tasks()) {
      if (!task.live().isEmpty()) {
        phase.givenUp(task);
        simulation.attempts().giveUpAll(task);
      }
    }
    phaseIsDone(phase);
  }

  private void phaseIsDone(PhaseRun phase) {
    double now = simulation.now();
    JobRun job = phase.job();
    job.ended(phase, now);
    if (phase.isRead()) {
      if (job.early().isEmpty()) {
        begin(job, phase.index() + 1, phase);
      }
      job.earlyIsDue();
      job.phase().inputsAreReady(now);
      return;
    }
    ended++;
    simulation.allocation().copies().endOthers(job, ledger);
    simulation.recomputations().jobIsOver(job);
    simulation.allocation().jobIsOver(job);
    ledger.ended(job, now);
    scheme.ended(job);
    progress.accept(ended);
  }

  /** Begins the next phase early (slow start), or tells it that there is more to fetch. */
  private void partIsDone(PhaseRun phase) {
    JobRun job = phase.job();
    boolean enough = phase.everDone() >= simulation.settings().slowStart() * phase.spec().tasks();
    if (phase != job.phase() || !phase.isRead() || !enough) {
      return;
    }
    if (job.early().isEmpty()) {
      begin(job, phase.index() + 1, phase);
    } else {
      job.early().get().moreInput(simulation.now());
    }
  }

  int submitted() {
    return submitted;
  }

  int ended() {
    return ended;
  }

  /** Returns whether all jobs have ended. */
  boolean isOver() {
    return allSubmitted && ended == submitted;
  }
}
