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
 * of links due to the other jobs" (section 6.4). Core places the reduces. Unlike other schemes, the
 * oracle knows how many bytes the flows on each link still have to transfer. If a phase fetches for
 * T seconds, a link of C bytes per second gives the phase's k flows, beside m others with B bytes,
 *
 * <pre>
 *   C - B / T         if the others end within T,
 *   C k / (k + m)     if they do not; the greater of the two
 * </pre>
 *
 * <p>T is the time that the busiest link takes if no other phase uses the links. Out of a rack, k
 * is the number of reduces; into a rack, it is an equal share of them. Tasks that have not begun
 * are placed again every 10 s; the paper says only that its oracle learns by "re-sampling".
 * Departure: the oracle does not foresee later jobs, because where they read from depends on its
 * own decisions.
 */
public final class IdealReduce implements Scheme {
  /** Chosen: tasks report at least this often (Mantri section 5). */
  private static final double SAMPLE_SECONDS = 10;

  private final CorePlacement placement;

  /** Creates the scheme with the settings of placement. */
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

  /** Returns the rack of each task that has not begun. The values of other tasks have no effect. */
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
