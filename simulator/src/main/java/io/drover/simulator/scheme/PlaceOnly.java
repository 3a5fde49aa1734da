// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.PlacementSettings;

/**
 * Mantri's placement of reduces by core and nothing else, so that what it gains can be set beside
 * {@link IdealReduce} (Mantri section 6.4).
 */
public final class PlaceOnly extends CoreScheme {
  /** With the settings of placement, and another estimate of bandwidths than Mantri's own. */
  public PlaceOnly(PlacementSettings settings, Bandwidths bandwidths) {
    super("place-only");
    placesBy(new CorePlacement(settings, bandwidths));
  }
}
