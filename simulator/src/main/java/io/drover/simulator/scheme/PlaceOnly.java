// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.core.config.PlacementSettings;

/**
 * Only Mantri's placement of reduces, implemented by core, so that its gain can be compared with
 * that of {@link IdealReduce} (Mantri section 6.4).
 */
public final class PlaceOnly extends CoreScheme {
  /** Creates the scheme with a given estimate of bandwidths. */
  public PlaceOnly(PlacementSettings settings, Bandwidths bandwidths) {
    super("place-only");
    placesBy(new CorePlacement(settings, bandwidths));
  }
}
