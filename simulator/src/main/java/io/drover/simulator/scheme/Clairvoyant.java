// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.JobSettings;
import io.drover.simulator.engine.TaskRun;
import io.drover.simulator.world.Slowness;

/**
 * The oracle that knows how long every attempt will take before it begins. A task may have a first
 * attempt and gamma restarts; the oracle starts only the fastest of these, at once. It starts the
 * largest tasks first and places reduces as Drover does. No scheme that has to try attempts can do
 * better with the same number of attempts.
 */
public final class Clairvoyant extends CoreScheme {
  private final int attempts;

  /** Creates the scheme with a job's settings. */
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
