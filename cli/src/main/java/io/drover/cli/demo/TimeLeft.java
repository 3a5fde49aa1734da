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
 * How much of a demo is done, and how long the rest will take. A run to come takes what the last
 * one of its kind took, or what its fault makes one expect. The present one takes what is expected,
 * or longer, if its tasks' progress says so: the rate so far, for the part that is left.
 */
final class TimeLeft {
  /** Start of an AppMaster and of task processes, shuffle and end, seconds. */
  private static final double OVERHEAD = 10;

  /** How long a task may be silent, {@code mapreduce.task.timeout} of the demo job, seconds. */
  private static final double TIMEOUT = 120;

  /** What stock speculation leaves of a slow task's time, as seen in practice. */
  private static final double STOCK_SHARE = 0.65;

  /** Of a job's progress; before, its rate says nothing. */
  private static final double EARLY = 0.2;

  /** How long small jobs run before the big one comes, seconds. */
  private static final double LEAD = 15;

  /** As long as a run is not over, seconds. */
  private static final double LEAST = 1;

  /** Of a job's work, the maps. */
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

  /** The present run's job is so far. */
  void job(JobProgress progress) {
    elapsed = DemoRun.seconds(progress.elapsed());
    fraction = MAP_SHARE * progress.maps() + (1 - MAP_SHARE) * progress.reduces();
  }

  /** The present run is over. */
  void end(PlannedRun run, Duration took) {
    known.put(kind(run), DemoRun.seconds(took));
    secondsDone += DemoRun.seconds(took);
    done++;
    elapsed = 0;
    fraction = 0;
  }

  /** Runs that are over. */
  int done() {
    return done;
  }

  /** Seconds that runs have taken so far. */
  double secondsDone() {
    return secondsDone + elapsed;
  }

  /** Seconds that the runs will take from now on. */
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
    return known.getOrDefault(kind(run), prior(run));
  }

  private static String kind(PlannedRun run) {
    return run.scenario().key() + " " + run.mode().key();
  }

  private static double prior(PlannedRun run) {
    DemoJobSpec spec = run.spec();
    double maps = DemoRun.seconds(spec.mapTime());
    double reduces = DemoRun.seconds(spec.reduceTime());
    double clean = maps + reduces + OVERHEAD;
    double off =
        switch (run.scenario()) {
          case NONE, PLACEMENT, CEILING -> clean;
          case SLOW_NODE -> (maps + reduces) * spec.slowdown() + OVERHEAD;
          case SLOW_ATTEMPT, SMALL_JOBS ->
              clean + (spec.isReduceFaulty() ? reduces : maps) * (spec.slowdown() - 1);
          case SKEW -> maps * 6 + reduces + OVERHEAD;
          case SILENT_ATTEMPT, STALL_90, NODE_DEATH -> clean + TIMEOUT + maps;
        };
    double lead = run.scenario() == Scenario.CEILING ? LEAD : 0;
    return lead
        + switch (run.mode()) {
          case CLEAN -> clean;
          case OFF -> off;
          case STOCK -> Math.max(clean, off * STOCK_SHARE);
          case RESTART, DROVER -> Math.min(off, clean + maps);
        };
  }
}
