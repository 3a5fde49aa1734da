// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.JobSettings;
import io.drover.simulator.engine.Actions;
import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.TaskRun;
import io.drover.simulator.world.Slowness;
import java.util.List;

/**
 * The oracle that knows nothing about an attempt before its first report, and everything from then
 * on: when it will end, and how long each possible restart would take. As soon as the fastest
 * restart would end sooner, it replaces the running attempt, at most once per task. The oracle
 * starts the largest tasks first and places reduces as Drover does.
 *
 * <p>So this is the value of perfect estimates to a scheme that has to see an attempt run before it
 * can judge it. Only blind cloning can win the rest of the {@link Clairvoyant}'s gain.
 */
public final class Informed extends CoreScheme {
  private final int restarts;
  private Slowness slowness;

  /** Creates the scheme with a job's settings. */
  public Informed(JobSettings settings) {
    super("informed");
    restarts = settings.restart().maxRestarts();
    placesBy(new CorePlacement(settings.placement()));
    ordersLargestFirst();
    keepsCopiesApart();
  }

  @Override
  public double firstScan(PhaseRun phase) {
    return phase.period();
  }

  @Override
  public double scan(PhaseRun phase, Actions actions) {
    for (TaskRun task : List.copyOf(phase.running())) {
      if (task.restarts() == 0 && task.live().size() == 1) {
        AttemptRun attempt = task.live().get(0);
        if (paysToRestart(attempt, actions.now())) {
          actions.restart(attempt);
        }
      }
    }
    return phase.period();
  }

  private boolean paysToRestart(AttemptRun attempt, double now) {
    double end = attempt.wouldEnd();
    boolean hasReported = now >= attempt.workedFrom() + attempt.phase().period();
    if (!hasReported || end == Double.POSITIVE_INFINITY) {
      return false;
    }
    double untilWork = attempt.workedFrom() - attempt.launchedAt();
    double fastest = fastestRestart(attempt.task(), attempt.machine());
    return now + untilWork + fastest * attempt.task().workSeconds() < end;
  }

  private double fastestRestart(TaskRun task, int machine) {
    double least = Double.POSITIVE_INFINITY;
    for (int number = 1; number <= restarts; number++) {
      least = Math.min(least, slowness.of(task.phase().key(), task.index(), number, machine));
    }
    return least;
  }

  /** Returns the true factor of a first attempt, and that of the fastest restart for any other. */
  @Override
  public double factor(TaskRun task, int attempt, int machine, Slowness inThisWorld) {
    slowness = inThisWorld;
    return attempt == 0
        ? slowness.of(task.phase().key(), task.index(), 0, machine)
        : fastestRestart(task, machine);
  }
}
