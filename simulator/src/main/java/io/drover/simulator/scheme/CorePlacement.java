// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.PlacementSettings;
import io.drover.core.placement.Placement;
import io.drover.core.placement.PlacementProblem;
import io.drover.core.placement.ReducePlacement;
import io.drover.simulator.engine.PhaseRun;
import java.util.function.IntToDoubleFunction;

/**
 * Lets core place the reduces of a phase. By Mantri's hybrid (sections 5.2 and 6.4): a short phase
 * by the bandwidths that are available as it starts, a long one as if all links were alike.
 */
final class CorePlacement {
  private final double shortShuffle;
  private final ReducePlacement solver = new ReducePlacement(1);

  CorePlacement(PlacementSettings settings) {
    shortShuffle = settings.shortShuffle().toMillis() / 1e3;
  }

  /** The rack for each task. */
  int[] racks(PhaseRun phase, Network network) {
    int reduces = phase.spec().tasks();
    IntToDoubleFunction up = rack -> network.up(rack) * share(reduces, network.flowsUp(rack));
    IntToDoubleFunction down = rack -> network.down(rack) * share(reduces, network.flowsDown(rack));
    Placement now = solve(phase, network, up, down);
    Placement chosen =
        now.seconds() <= shortShuffle ? now : solve(phase, network, network::up, network::down);
    int[] racks = new int[reduces];
    for (int j = 0; j < reduces; j++) {
      racks[j] = chosen.rackOf(j);
    }
    return racks;
  }

  /** What a link leaves to so many flows more, as a share of its capacity. */
  static double share(int flows, int others) {
    return (double) flows / (flows + others);
  }

  private Placement solve(
      PhaseRun phase, Network network, IntToDoubleFunction up, IntToDoubleFunction down) {
    int racks = network.racks();
    double[][] input = new double[phase.spec().tasks()][racks];
    for (int j = 0; j < input.length; j++) {
      for (int r = 0; r < racks; r++) {
        input[j][r] = phase.spec().bytes(j) * phase.inputShare()[r];
      }
    }
    double[] ups = new double[racks];
    double[] downs = new double[racks];
    for (int r = 0; r < racks; r++) {
      ups[r] = up.applyAsDouble(r);
      downs[r] = down.applyAsDouble(r);
    }
    return solver.place(new PlacementProblem(input, ups, downs, slots(network, input.length)));
  }

  /** The slots that are free if they are enough; else those that will be, in waves. */
  private static int[] slots(Network network, int reduces) {
    int racks = network.racks();
    int[] slots = new int[racks];
    long free = 0;
    long all = 0;
    for (int r = 0; r < racks; r++) {
      slots[r] = network.freeSlots(r);
      free += slots[r];
      all += network.slots(r);
    }
    if (free < reduces) {
      long waves = (reduces + all - 1) / all;
      for (int r = 0; r < racks; r++) {
        slots[r] = (int) Math.min(reduces, waves * network.slots(r));
      }
    }
    return slots;
  }
}
