// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.experiment;

import io.drover.simulator.engine.NetworkEstimate;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import io.drover.simulator.world.Draws;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A cluster whose first free slots lie together: reduces run in few racks, which chance chooses,
 * each of them in one of these. Nothing is done about outliers.
 *
 * <p>Source: "we measure the spread of tasks, i.e., the ratio of the number of concurrently running
 * tasks to the number of racks they are running in"; it is 5.5 for the paper's default
 * implementation (Mantri section 6.2). In the simulator's own cluster free slots are drawn evenly.
 *
 * @param seed of the choice
 */
record PackedSlots(long seed) implements Scheme {
  /** Reduces of a phase for each rack that has any. */
  static final double SPREAD = 5.5;

  @Override
  public String name() {
    return "packed";
  }

  @Override
  public Optional<int[]> racks(PhaseRun phase, NetworkEstimate network) {
    int[] chosen =
        IntStream.range(0, network.racks())
            .boxed()
            .sorted(Comparator.comparing(rack -> Draws.key(seed, phase.key(), rack)))
            .limit(Math.max(1, Math.round(phase.spec().tasks() / SPREAD)))
            .mapToInt(rack -> rack)
            .toArray();
    long tasks = Draws.key(seed, phase.key());
    return Optional.of(
        IntStream.range(0, phase.spec().tasks())
            .map(task -> chosen[Draws.index(Draws.key(tasks, task), chosen.length)])
            .toArray());
  }
}
