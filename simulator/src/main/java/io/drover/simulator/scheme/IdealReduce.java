// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.PlacementSettings;
import io.drover.core.placement.Placement;
import io.drover.simulator.engine.Actions;
import io.drover.simulator.engine.Actions.NetworkEstimate;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import java.util.List;
import java.util.Optional;

/**
 * The oracle that "assumes perfect up-to-date knowledge of available bandwidths and places reduce
 * tasks accordingly" (Mantri section 6.1), and "tracks perfectly the changes in available bandwidth
 * of links due to the other jobs" (section 6.4). Core places; what is known here and nowhere else
 * is how much the flows on each link have still to bring across. So over the T seconds for which a
 * phase fetches, a link of C bytes a second leaves to k flows of it, beside m others with B bytes,
 *
 * <pre>
 *   C - B / T         if the others end within T,
 *   C k / (k + m)     if they do not; the greater of the two
 * </pre>
 *
 * T is what the busiest link takes if nobody else uses the links. Out of a rack k is the number of
 * reduces, into it an even part of them. What has not begun is placed anew from time to time; the
 * paper's oracle is told by "re-sampling", and no more is said of it. Departure: jobs that come
 * later are not foreseen, since where they read from depends on what is decided here.
 */
public final class IdealReduce implements Scheme {
  /** Chosen: as often as tasks report at least, Mantri section 5. */
  private static final double SAMPLE_SECONDS = 10;

  private final CorePlacement placement;

  /** With the settings of placement. */
  public IdealReduce(PlacementSettings settings) {
    placement = new CorePlacement(settings);
  }

  @Override
  public String name() {
    return "ideal-reduce";
  }

  @Override
  public Optional<int[]> racks(PhaseRun phase, NetworkEstimate network) {
    return Optional.of(place(phase, network));
  }

  @Override
  public double firstScan(PhaseRun phase) {
    return phase.readFrom().isPresent() ? SAMPLE_SECONDS : Double.POSITIVE_INFINITY;
  }

  @Override
  public double scan(PhaseRun phase, Actions actions) {
    if (phase.waiting() > 0) {
      actions.place(phase, place(phase, actions.network()));
    }
    return SAMPLE_SECONDS;
  }

  /** The rack of each task that has not begun; of the others it does not matter. */
  private int[] place(PhaseRun phase, NetworkEstimate network) {
    List<Integer> tasks = phase.notBegun();
    int up = tasks.size();
    int down = (up + network.racks() - 1) / network.racks();
    Placement alone = placement.solve(phase, tasks, network, network::up, network::down);
    double seconds = alone.seconds();
    Placement chosen =
        placement.solve(
            phase,
            tasks,
            network,
            r -> left(network.up(r), up, network.flowsUp(r), network.bytesUp(r), seconds),
            r -> left(network.down(r), down, network.flowsDown(r), network.bytesDown(r), seconds));
    int[] racks = new int[phase.spec().tasks()];
    for (int i = 0; i < up; i++) {
      racks[tasks.get(i)] = chosen.rackOf(i);
    }
    return racks;
  }

  private static double left(
      double capacity, int flows, int others, double bytesOfOthers, double seconds) {
    double ifTheyLast = capacity * CorePlacement.share(flows, others);
    return seconds > 0 ? Math.max(ifTheyLast, capacity - bytesOfOthers / seconds) : ifTheyLast;
  }
}
