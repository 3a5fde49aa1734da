// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.progress.Status;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Estimates how long the remaining simulations will take. A future run is expected to take as long
 * as the last run of its scheme, or else as the other runs and the scheme's weight suggest. The
 * current run is judged by the share of its jobs that have ended.
 */
final class SimulateTime {
  /** How many times longer than without speculation, as observed on the synthetic workload. */
  private static final Map<String, Double> WEIGHTS =
      Map.of("mantri", 4.0, "drover", 4.0, "kmn", 4.0, "dolly", 2.0, "dolly-job", 2.0);

  /** Seconds per job without speculation, used until a run has been measured. */
  private static final double SECONDS_PER_JOB = 1e-3;

  /** The share of a run's jobs that must have ended before their rate is used. */
  private static final double EARLY = 0.05;

  private final List<String> plan;
  private final Map<String, Double> weights;
  private final LongSupplier nanos;
  private final Map<String, Double> known = new HashMap<>();
  private int done;
  private double secondsDone;
  private double weightDone;
  private long began;
  private int jobs;
  private int jobsEnded;
  private String now = "";

  /**
   * Creates the estimator before the first run.
   *
   * @param plan the scheme of each run
   * @param nanos a clock
   */
  SimulateTime(List<String> plan, LongSupplier nanos) {
    this(plan, WEIGHTS, nanos);
  }

  /**
   * Creates the estimator for runs that differ in more than their scheme.
   *
   * @param plan the name of each run; runs of one name take about equally long
   * @param weights how many times longer the runs of a name take; 1 for names that are missing
   * @param nanos a clock
   */
  SimulateTime(List<String> plan, Map<String, Double> weights, LongSupplier nanos) {
    this.plan = List.copyOf(plan);
    this.weights = Map.copyOf(weights);
    this.nanos = nanos;
    this.began = nanos.getAsLong();
  }

  /** Sets what is happening, in a run or between two. */
  synchronized void doing(String what) {
    now = what;
  }

  /** Starts the next run. */
  synchronized void begin(int jobsOfRun) {
    began = nanos.getAsLong();
    jobs = jobsOfRun;
    jobsEnded = 0;
    now = plan.get(done);
  }

  /** Sets how many jobs of the current run have ended. */
  synchronized void ended(int count) {
    jobsEnded = count;
  }

  /**
   * Ends the current run.
   *
   * @return the seconds that it took
   */
  synchronized double end() {
    String scheme = plan.get(done);
    double took = elapsed();
    known.put(scheme, took);
    weightDone += weight(scheme);
    secondsDone += took;
    done++;
    jobsEnded = 0;
    began = nanos.getAsLong();
    return took;
  }

  synchronized Status status() {
    return new Status(done, plan.size(), secondsDone + elapsed(), secondsLeft(), now);
  }

  private double elapsed() {
    return done < plan.size() ? (nanos.getAsLong() - began) / 1e9 : 0;
  }

  private double secondsLeft() {
    if (done == plan.size()) {
      return 0;
    }
    double share = jobs == 0 ? 0 : (double) jobsEnded / jobs;
    String present = plan.get(done);
    double all = share < EARLY ? Math.max(elapsed(), expected(present, unit())) : elapsed() / share;
    double unit = done == 0 && share >= EARLY ? all / weight(present) : unit();
    double left = all - elapsed();
    for (String scheme : plan.subList(done + 1, plan.size())) {
      left += expected(scheme, unit);
    }
    return left;
  }

  /** Returns the expected seconds of a run of weight 1. */
  private double unit() {
    return weightDone > 0 ? secondsDone / weightDone : SECONDS_PER_JOB * jobs;
  }

  private double expected(String scheme, double unit) {
    return known.getOrDefault(scheme, unit * weight(scheme));
  }

  private double weight(String scheme) {
    return weights.getOrDefault(scheme, 1.0);
  }
}
