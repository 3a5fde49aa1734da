// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.simulator.engine.Actions;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.JobRun;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.engine.TaskRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Dryad: "after a threshold number of tasks have finished", it "duplicates those that have been
 * running for longer than the 75th percentile of task durations" (Mantri section 7), with one copy
 * for each.
 *
 * <p>Modelled: no paper gives the threshold. It is three quarters of the phase, the smallest share
 * that determines the 75th percentile of all tasks.
 */
public final class Dryad implements Scheme {
  private static final double PERCENTILE = 75;

  private final Map<PhaseRun, List<Double>> durations = new HashMap<>();

  @Override
  public String name() {
    return "dryad";
  }

  @Override
  public double firstScan(PhaseRun phase) {
    durations.put(phase, new ArrayList<>());
    return phase.period();
  }

  @Override
  public void ended(AttemptRun attempt) {
    if (attempt.hasSucceeded()) {
      durations.get(attempt.phase()).add(attempt.slotSeconds());
    }
  }

  @Override
  public void ended(JobRun job) {
    job.ended().forEach(durations::remove);
  }

  @Override
  public double scan(PhaseRun phase, Actions actions) {
    if (phase.done() * 100.0 >= PERCENTILE * phase.spec().tasks()) {
      double[] ended = durations.get(phase).stream().mapToDouble(Double::doubleValue).toArray();
      double limit = StatUtils.percentile(ended, PERCENTILE);
      for (TaskRun task : phase.running()) {
        AttemptRun attempt = task.live().get(0);
        if (task.live().size() == 1 && actions.now() - attempt.launchedAt() > limit) {
          actions.copy(task);
        }
      }
    }
    return phase.period();
  }
}
