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
 * The oracle that knows nothing of an attempt before its first report, and everything from then on:
 * when it will end, and how long each of the attempts that may follow would take. As soon as the
 * fastest of these would end sooner it is started in the place of the one that runs, once. Largest
 * first, reduces placed as Drover places them.
 *
 * <p>So this is what perfect estimates are worth to whoever has to see an attempt run before
 * judging it. What the {@link Clairvoyant} gains beyond it can be had by cloning only, blindly.
 */
public final class Informed extends CoreScheme {
  private final int restarts;
  private Slowness slowness;

  /** Over a job's settings. */
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

  /** The first attempt is what it is, the one after it the fastest that there is. */
  @Override
  public double factor(TaskRun task, int attempt, int machine, Slowness inThisWorld) {
    slowness = inThisWorld;
    return attempt == 0
        ? slowness.of(task.phase().key(), task.index(), 0, machine)
        : fastestRestart(task, machine);
  }
}
