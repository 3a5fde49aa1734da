// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.TaskRun;
import io.drover.simulator.world.Slowness;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The ideal in which "all tasks in a phase take the same amount of time" (Mantri section 6.1): the
 * mean of the times that their first attempts would need for their work. {@code no-skew-chop-tail}
 * "removes the worst quartile of durations, and sets every task to the average of remaining
 * durations". The time to fetch is unchanged.
 */
public final class NoSkew implements Scheme {
  private static final double CHOPPED = 0.25;

  private final boolean chopTail;
  private final Map<PhaseRun, Double> seconds = new HashMap<>();

  /**
   * Creates the scheme.
   *
   * @param chopTail whether to leave the worst quartile out of the mean
   */
  public NoSkew(boolean chopTail) {
    this.chopTail = chopTail;
  }

  @Override
  public String name() {
    return chopTail ? "no-skew-chop-tail" : "no-skew";
  }

  @Override
  public double factor(TaskRun task, int attempt, int machine, Slowness slowness) {
    double mean = seconds.computeIfAbsent(task.phase(), phase -> mean(phase, slowness));
    return mean / task.workSeconds();
  }

  @Override
  public void ended(JobRun job) {
    job.ended().forEach(seconds::remove);
  }

  private double mean(PhaseRun phase, Slowness slowness) {
    double[] all = new double[phase.spec().tasks()];
    int machines = phase.job().machines();
    for (TaskRun task : phase.tasks()) {
      int i = task.index();
      all[i] = task.workSeconds() * slowness.of(phase.key(), i, 0, i % machines);
    }
    Arrays.sort(all);
    int kept = all.length - (chopTail ? (int) (CHOPPED * all.length) : 0);
    return Arrays.stream(all, 0, kept).average().orElseThrow();
  }
}
