// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.RunListener.JobProgress;
import io.drover.testbed.job.Scenario;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Estimates how long the rest of a demo will take. A future run is expected to take as long as the
 * last run of its kind, or else as its fault suggests. The current run is expected to take the
 * same, or longer if its tasks progress too slowly. Its rate so far is then assumed for the rest.
 */
final class TimeLeft {
  /** Seconds for the start of an AppMaster and of task processes, the shuffle and the job's end. */
  private static final double OVERHEAD = 10;

  /** Seconds that a task may be silent, {@code mapreduce.task.timeout} of the demo job. */
  private static final double TIMEOUT = 120;

  /** The share of the time without speculation that stock speculation takes in practice. */
  private static final double STOCK_SHARE = 0.65;

  /** The progress that a job must have made before its rate is used. */
  private static final double EARLY = 0.2;

  /** Slots of the demo's cluster. */
  private static final double SLOTS = 24;

  /** Seconds that a stream of small jobs takes, which keep the processors of a laptop busy. */
  private static final double STREAM = 180;

  /** Seconds that small jobs run before the big one starts. */
  private static final double LEAD = 15;

  /** Seconds that are left at least until a run is over. */
  private static final double LEAST = 1;

  /** The share of the maps in a job's work. */
  private static final double MAP_SHARE = 0.7;

  private final List<PlannedRun> plan;
  private final Map<String, Double> known = new HashMap<>();
  private int done;
  private double secondsDone;
  private double elapsed;
  private double fraction;

  TimeLeft(List<PlannedRun> plan) {
    this.plan = List.copyOf(plan);
  }

  /** Updates the progress of the current run's job. */
  void job(JobProgress progress) {
    elapsed = DemoRun.seconds(progress.elapsed());
    fraction = MAP_SHARE * progress.maps() + (1 - MAP_SHARE) * progress.reduces();
  }

  /** Ends the current run. */
  void end(PlannedRun run, Duration took) {
    known.put(run.kind(), DemoRun.seconds(took));
    secondsDone += DemoRun.seconds(took);
    done++;
    elapsed = 0;
    fraction = 0;
  }

  /** Returns the number of finished runs. */
  int done() {
    return done;
  }

  /** Returns the seconds that runs have taken so far. */
  double secondsDone() {
    return secondsDone + elapsed;
  }

  /** Returns the seconds that the remaining runs will take. */
  double secondsLeft() {
    double left = 0;
    for (PlannedRun run : plan.subList(Math.min(done + 1, plan.size()), plan.size())) {
      left += expected(run);
    }
    return done < plan.size() ? left + leftOf(plan.get(done)) : left;
  }

  private double leftOf(PlannedRun present) {
    double byKind = Math.max(0, expected(present) - elapsed);
    double byRate = fraction < EARLY ? 0 : elapsed * (1 - fraction) / fraction;
    return Math.max(LEAST, Math.max(byKind, byRate));
  }

  private double expected(PlannedRun run) {
    if (run.beside()) {
      return 0;
    }
    return known.getOrDefault(run.kind(), prior(run));
  }

  private static double prior(PlannedRun run) {
    if (run.scenario() == Scenario.FAILING_JOBS) {
      return STREAM;
    }
    DemoJobSpec spec = run.spec();
    double maps = DemoRun.seconds(spec.mapTime());
    double reduces = DemoRun.seconds(spec.reduceTime());
    double clean = maps * waves(spec) + reduces + OVERHEAD;
    double off =
        switch (run.scenario()) {
          case NONE, PLACEMENT, CEILING, SAMPLING, FAILING_JOBS, FULL_DISK, WRONG_CLOCK -> clean;
          case SLOW_NODE -> (maps + reduces) * spec.slowdown() + OVERHEAD;
          case SLOW_ATTEMPT, SMALL_JOBS ->
              clean + (spec.isReduceFaulty() ? reduces : maps) * (spec.slowdown() - 1);
          case SKEW -> maps * 6 + reduces + OVERHEAD;
          case FLAKY_NM_DEATH, FLAKY_OUTPUTS -> maps * 6 + TIMEOUT + maps;
          case LONG_TASK -> maps * spec.slowdown() + reduces + OVERHEAD;
          case STARVED_HOST, PAUSING_TASKS, SLOW_HOST_LINK, SLOW_UPLINK, FAULTS -> 4 * clean;
          case SILENT_ATTEMPT,
              STALL_90,
              NODE_DEATH,
              STOPPED_TASKS,
              CUT_HOST,
              CUT_RACK,
              NM_DEATH,
              HOST_DEATH,
              LOST_OUTPUTS ->
              clean + TIMEOUT + maps;
        };
    double lead = run.scenario() == Scenario.CEILING ? LEAD : 0;
    return lead
        + switch (run.mode()) {
          case CLEAN -> clean;
          case OFF, RECORD -> off;
          case STOCK -> Math.max(clean, off * STOCK_SHARE);
          case RESTART, REMAKE, DROVER ->
              run.scenario() == Scenario.LONG_TASK ? off : Math.min(off, clean + maps);
        };
  }

  /** Returns how many maps run one after another in a slot, of those that are free. */
  private static double waves(DemoJobSpec spec) {
    return spec.sample()
        .map(sample -> Math.ceil(sample.needed() / (SLOTS * (1 - sample.load()))))
        .orElse(1.0);
  }
}
