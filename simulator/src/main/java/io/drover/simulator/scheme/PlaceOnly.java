// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.PlacementSettings;
import io.drover.simulator.engine.NetworkEstimate;
import io.drover.simulator.engine.PhaseRun;
import io.drover.simulator.engine.Scheme;
import java.util.Optional;

/**
 * Mantri's placement of reduces by core and nothing else, so that what it gains can be set beside
 * {@link IdealReduce} (Mantri section 6.4).
 */
public final class PlaceOnly implements Scheme {
  private final CorePlacement placement;

  /** With the settings of placement, and another estimate of bandwidths than Mantri's own. */
  public PlaceOnly(PlacementSettings settings, Bandwidths bandwidths) {
    placement = new CorePlacement(settings, bandwidths);
  }

  @Override
  public String name() {
    return "place-only";
  }

  @Override
  public Optional<int[]> racks(PhaseRun phase, NetworkEstimate network) {
    return Optional.of(placement.racks(phase, network));
  }
}
