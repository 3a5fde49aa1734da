// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.PlacementSettings;
import io.drover.core.placement.Placement;
import io.drover.core.placement.PlacementProblem;
import io.drover.core.placement.ReducePlacement;
import io.drover.simulator.engine.Actions.NetworkEstimate;
import io.drover.simulator.engine.PhaseRun;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Lets core place the reduces of a phase. The default is Mantri's hybrid (sections 5.2 and 6.4): a
 * short phase uses the bandwidths that are available when it starts, a long one the links' full
 * capacities.
 */
final class CorePlacement {
  /** Chosen: about the number of phases that wait for slots at the same time. */
  private static final int REMEMBERED = 16;

  private final double shortShuffle;
  private final Bandwidths bandwidths;
  private final ReducePlacement solver = new ReducePlacement(1);

  /** Caches recent placements. An oracle asks again and again, and usually nothing has changed. */
  private final Map<PlacementProblem, Placement> solved =
      new LinkedHashMap<>(2 * REMEMBERED, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<PlacementProblem, Placement> eldest) {
          return size() > REMEMBERED;
        }
      };

  CorePlacement(PlacementSettings settings) {
    this(settings, Bandwidths.HYBRID);
  }

  CorePlacement(PlacementSettings settings, Bandwidths bandwidths) {
    this.shortShuffle = settings.shortShuffle().toMillis() / 1e3;
    this.bandwidths = bandwidths;
  }

  /** Returns the rack for each task. */
  int[] racks(PhaseRun phase, NetworkEstimate network) {
    List<Integer> tasks = IntStream.range(0, phase.spec().tasks()).boxed().toList();
    Placement chosen =
        switch (bandwidths) {
          case START -> byPresent(phase, tasks, network);
          case EQUAL -> byCapacity(phase, tasks, network);
          case HYBRID -> {
            Placement now = byPresent(phase, tasks, network);
            yield now.seconds() <= shortShuffle ? now : byCapacity(phase, tasks, network);
          }
        };
    return tasks.stream().mapToInt(chosen::rackOf).toArray();
  }

  /** Places by the bandwidth that the links have left now. */
  private Placement byPresent(PhaseRun phase, List<Integer> tasks, NetworkEstimate network) {
    int flows = tasks.size();
    return solve(
        phase,
        tasks,
        network,
        rack -> network.up(rack) * share(flows, network.flowsUp(rack)),
        rack -> network.down(rack) * share(flows, network.flowsDown(rack)));
  }

  /** Places as if no other phase used the links. */
  private Placement byCapacity(PhaseRun phase, List<Integer> tasks, NetworkEstimate network) {
    return solve(phase, tasks, network, network::up, network::down);
  }

  /** Returns the share of a link's capacity that additional flows get beside the others. */
  static double share(int flows, int others) {
    return (double) flows / (flows + others);
  }

  /**
   * Returns core's placement of some tasks of a phase, in the order in which they are given.
   *
   * @param up the available bandwidth out of each rack, bytes per second
   * @param down the available bandwidth into each rack, bytes per second
   */
  Placement solve(
      PhaseRun phase,
      List<Integer> tasks,
      NetworkEstimate network,
      IntToDoubleFunction up,
      IntToDoubleFunction down) {
    int racks = network.racks();
    double[] share = phase.inputShare();
    double[][] input = new double[tasks.size()][racks];
    for (int j = 0; j < input.length; j++) {
      for (int r = 0; r < racks; r++) {
        input[j][r] = phase.spec().bytes(tasks.get(j)) * share[r];
      }
    }
    double[] ups = IntStream.range(0, racks).mapToDouble(up).toArray();
    double[] downs = IntStream.range(0, racks).mapToDouble(down).toArray();
    return solved.computeIfAbsent(
        new PlacementProblem(input, ups, downs, slots(network, input.length)), solver::place);
  }

  /** Returns the free slots if they are enough; otherwise the slots that all waves will have. */
  private static int[] slots(NetworkEstimate network, int reduces) {
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
