// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.simulator.engine.Actions;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.TaskRun;

/**
 * The Hadoop that the Mantri and LATE papers compare with (0.20). Once all tasks have begun, free
 * slots go to "any task that has read less data than the others" (Mantri section 7). Such a task
 * has a progress score more than 0.2 below the phase's mean and has run for a minute (Zaharia et
 * al., OSDI 2008, section 2.1). It gets one copy.
 */
public final class Hadoop2010 implements Scheme {
  private static final double GAP = 0.2;
  private static final double LEAST_AGE = 60;

  @Override
  public String name() {
    return "hadoop-2010";
  }

  @Override
  public double firstScan(PhaseRun phase) {
    return phase.period();
  }

  @Override
  public double scan(PhaseRun phase, Actions actions) {
    if (phase.waiting() == 0) {
      double mean = mean(phase, actions.now());
      int free = actions.freeSlots();
      for (TaskRun task : phase.running()) {
        if (free > 0 && isBehind(task, mean, actions.now())) {
          actions.copy(task);
          free--;
        }
      }
    }
    return phase.period();
  }

  private static boolean isBehind(TaskRun task, double mean, double now) {
    AttemptRun attempt = task.live().get(0);
    return task.live().size() == 1
        && now - attempt.launchedAt() > LEAST_AGE
        && attempt.score(now) < mean - GAP;
  }

  private static double mean(PhaseRun phase, double now) {
    double sum = phase.done();
    for (TaskRun task : phase.running()) {
      sum += task.live().get(0).score(now);
    }
    return sum / phase.spec().tasks();
  }
}
