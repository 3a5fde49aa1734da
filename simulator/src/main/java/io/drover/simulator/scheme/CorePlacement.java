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
 * Lets core place the reduces of a phase. Where nobody says otherwise by Mantri's hybrid (sections
 * 5.2 and 6.4): a short phase by the bandwidths that are available as it starts, a long one as if
 * all links were alike.
 */
final class CorePlacement {
  /** Chosen: about the phases that wait for slots at a time. */
  private static final int REMEMBERED = 16;

  private final double shortShuffle;
  private final Bandwidths bandwidths;
  private final ReducePlacement solver = new ReducePlacement(1);

  /** The last placements. An oracle asks again and again, and mostly nothing has changed. */
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

  /** The rack for each task. */
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

  /** By what links leave now. */
  private Placement byPresent(PhaseRun phase, List<Integer> tasks, NetworkEstimate network) {
    int flows = tasks.size();
    return solve(
        phase,
        tasks,
        network,
        rack -> network.up(rack) * share(flows, network.flowsUp(rack)),
        rack -> network.down(rack) * share(flows, network.flowsDown(rack)));
  }

  /** As if nobody else used the links. */
  private Placement byCapacity(PhaseRun phase, List<Integer> tasks, NetworkEstimate network) {
    return solve(phase, tasks, network, network::up, network::down);
  }

  /** What a link leaves to so many flows more, as a share of its capacity. */
  static double share(int flows, int others) {
    return (double) flows / (flows + others);
  }

  /**
   * Core's placement of some tasks of a phase, in the order in which they are given.
   *
   * @param up what is available out of each rack, bytes per second
   * @param down what is available into each rack, bytes per second
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

  /** The slots that are free if they are enough; else those that will be, in waves. */
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
