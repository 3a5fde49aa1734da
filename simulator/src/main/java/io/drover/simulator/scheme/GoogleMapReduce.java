// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.simulator.engine.Actions;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.TaskRun;

/**
 * Google's MapReduce: "after a threshold number of tasks have finished, MapReduce duplicates all
 * the tasks that remain" (Mantri section 7; Dean and Ghemawat, OSDI 2004, section 3.6, "when a
 * MapReduce operation is close to completion").
 *
 * <p>Modelled: no paper says what "close to completion" means. It is 95 % of the phase here.
 */
public final class GoogleMapReduce implements Scheme {
  private static final double LEAST_DONE = 0.95;

  @Override
  public String name() {
    return "mapreduce";
  }

  @Override
  public double firstScan(PhaseRun phase) {
    return phase.period();
  }

  @Override
  public double scan(PhaseRun phase, Actions actions) {
    if (phase.done() >= LEAST_DONE * phase.spec().tasks()) {
      for (TaskRun task : phase.running()) {
        if (task.live().size() == 1) {
          actions.copy(task);
        }
      }
    }
    return phase.period();
  }
}
