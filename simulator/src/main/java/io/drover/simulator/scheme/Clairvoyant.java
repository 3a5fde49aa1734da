// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.JobSettings;
import io.drover.simulator.engine.TaskRun;
import io.drover.simulator.world.Slowness;

/**
 * The oracle that knows how long every attempt will take before it begins: of the attempts that a
 * task may have, the first and gamma restarts, it starts the fastest at once and no other. Largest
 * first, reduces placed as Drover places them. Nobody who has to try an attempt to know it can do
 * better with as many of them.
 */
public final class Clairvoyant extends CoreScheme {
  private final int attempts;

  /** Over a job's settings. */
  public Clairvoyant(JobSettings settings) {
    super("clairvoyant");
    attempts = 1 + settings.restart().maxRestarts();
    placesBy(new CorePlacement(settings.placement()));
    ordersLargestFirst();
    keepsCopiesApart();
  }

  @Override
  public double factor(TaskRun task, int attempt, int machine, Slowness slowness) {
    double least = Double.POSITIVE_INFINITY;
    for (int number = 0; number < attempts; number++) {
      least = Math.min(least, slowness.of(task.phase().key(), task.index(), number, machine));
    }
    return least;
  }
}
