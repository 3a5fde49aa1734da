// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import io.drover.simulator.result.SchemeOutcome;
import io.drover.simulator.result.SchemeOutcome.JobOutcome;
import io.drover.simulator.result.SchemeOutcome.PhaseOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.commons.math3.stat.StatUtils;

/** Records the outcomes of jobs, and checks that tasks and slot seconds add up. */
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

  void submitted(double now) {
    pass(now);
    lastSubmit = now;
    busyUntilLastSubmit = busySeconds;
  }

  void launched(double now) {
    pass(now);
    busy++;
  }

  /** Notes that an attempt has left its slot. */
  void released(AttemptRun attempt, double now) {
    pass(now);
    busy--;
    attemptSeconds += attempt.slotSeconds();
  }

  private void pass(double now) {
    busySeconds += busy * (now - since);
    since = now;
  }

  /** Notes that a task is done. Only its first time counts. */
  void done(TaskRun task) {
    if (!task.live().isEmpty()) {
      throw new IllegalStateException("a task that is done still has live attempts");
    }
    if (task.timesDone() == 1) {
      tasksDone++;
    }
  }

  /** Counts the tasks that were done in a copy that was given up. */
  void doneInVain(JobRun copy) {
    copy.begun().forEach(phase -> tasks += phase.everDone());
  }

  private void ended(PhaseRun phase) {
    if (phase.spare() < 0) {
      throw new IllegalStateException(phase + " ended with only " + phase.done() + " tasks done");
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

  /** Records a job that is over and has no attempts left. */
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

  /** Computes how fast the tasks of a phase have fetched their input. */
  static final class Throughputs {
    private Throughputs() {}

    /**
     * Returns the fetch rate of the median task, in bytes per second, divided by that of the
     * slowest.
     *
     * <p>Source: Mantri section 6.4, figure 20: "the ratio of the throughput obtained by the median
     * task in each reduce phase to that obtained by the slowest task". The attempt that counts is
     * the one that succeeded.
     *
     * @return empty if fewer than two tasks fetched anything
     */
    static OptionalDouble medianToSlowest(PhaseRun phase) {
      if (!phase.reads()) {
        return OptionalDouble.empty();
      }
      double[] throughputs =
          phase.tasks().stream()
              .flatMap(task -> task.winner().stream())
              .mapToDouble(Throughputs::bytesPerSecond)
              .filter(throughput -> throughput > 0)
              .toArray();
      return throughputs.length < 2
          ? OptionalDouble.empty()
          : OptionalDouble.of(StatUtils.percentile(throughputs, 50) / StatUtils.min(throughputs));
    }

    private static double bytesPerSecond(AttemptRun attempt) {
      long bytes = attempt.task().bytes();
      return bytes > 0 ? bytes / attempt.fetchSeconds() : 0;
    }
  }
}
