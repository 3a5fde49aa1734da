// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.result.JobOutcome;
import io.drover.simulator.result.PhaseOutcome;
import io.drover.simulator.result.SchemeOutcome;
import java.util.ArrayList;
import java.util.List;

/** What has come of the jobs, and the books that must balance. */
final class JobBooks {
  private final String scheme;
  private final int slots;
  private final List<PhaseOutcome> phases = new ArrayList<>();
  private final List<JobOutcome> jobs = new ArrayList<>();
  private long tasks;
  private long tasksDone;
  private double attemptSeconds;
  private double busySeconds;
  private int busy;
  private double since;
  private double lastSubmit;
  private double busyUntilLastSubmit;

  private final ReworkCount rework;

  JobBooks(String scheme, int slots, ReworkCount rework) {
    this.scheme = scheme;
    this.slots = slots;
    this.rework = rework;
  }

  /** A job is submitted. */
  void submitted(double now) {
    pass(now);
    lastSubmit = now;
    busyUntilLastSubmit = busySeconds;
  }

  /** An attempt has got its slot. */
  void launched(double now) {
    pass(now);
    busy++;
  }

  /** An attempt has left its slot. */
  void released(AttemptRun attempt, double now) {
    pass(now);
    busy--;
    attemptSeconds += attempt.slotSeconds();
  }

  private void pass(double now) {
    busySeconds += busy * (now - since);
    since = now;
  }

  /** A task is done; of one that is done again it is the first time that counts. */
  void done(TaskRun task) {
    if (!task.live().isEmpty()) {
      throw new IllegalStateException("attempts of a task go on after its end");
    }
    if (task.timesDone() == 1) {
      tasksDone++;
    }
  }

  /** A copy of a job was given up, whatever it had done. */
  void doneInVain(JobRun copy) {
    copy.begun().forEach(phase -> tasks += phase.everDone());
  }

  private void ended(PhaseRun phase) {
    if (phase.spare() < 0) {
      throw new IllegalStateException(phase + " ends with " + phase.done() + " tasks done");
    }
    tasks += phase.spec().tasks() + phase.spare();
    phases.add(
        new PhaseOutcome(
            phase.job().number(),
            phase.index(),
            phase.spec().kind(),
            phase.spec().tasks(),
            phase.begunAt(),
            phase.endedAt(),
            phase.count().slotSeconds(),
            phase.count().copies(),
            phase.count().restarts(),
            phase.count().clones(),
            phase.count().won(),
            Throughputs.medianToSlowest(phase)));
  }

  /** A job is over, and no attempt of it is left. */
  void ended(JobRun job, double now) {
    job.ended().forEach(this::ended);
    jobs.add(
        new JobOutcome(
            job.number(),
            job.spec().tasks(),
            job.spec().submitSeconds(),
            now,
            job.slotSeconds(),
            job.missedOutputs()));
  }

  /** Checks that each task was done once, and that slots were held for as long as attempts ran. */
  void verify() {
    if (busy != 0 || tasks != tasksDone) {
      throw new IllegalStateException(
          busy + " attempts still run; " + tasksDone + " of " + tasks + " tasks are done");
    }
    if (Math.abs(busySeconds - attemptSeconds) > 1e-6 * Math.max(1, busySeconds)) {
      throw new IllegalStateException(
          "slots were held for "
              + busySeconds
              + " s and attempts ran for "
              + attemptSeconds
              + " s");
    }
  }

  SchemeOutcome outcome() {
    double utilisation = lastSubmit > 0 ? busyUntilLastSubmit / (lastSubmit * slots) : 0;
    return new SchemeOutcome(scheme, phases, jobs, utilisation, busySeconds, rework.total());
  }
}
