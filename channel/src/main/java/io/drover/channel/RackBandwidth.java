// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.core.machine.RackBandwidths;
import java.util.OptionalDouble;

/**
 * The available bandwidth between a rack and the other racks; empty in a direction where it is not
 * known.
 *
 * @param rack the rack's name
 * @param up bytes per second out of the rack, above 0 up to {@value #MAX_BANDWIDTH}
 * @param down bytes per second into the rack, in the same range
 */
public record RackBandwidth(String rack, OptionalDouble up, OptionalDouble down) {
  /** The largest bandwidth that the scheduler accepts, bytes per second. */
  public static final double MAX_BANDWIDTH = RackBandwidths.MAX_BANDWIDTH;

  /** Checks the ranges. */
  public RackBandwidth {
    Validation.name("rack", rack);
    Validation.positive("up", up, MAX_BANDWIDTH);
    Validation.positive("down", down, MAX_BANDWIDTH);
  }
}
