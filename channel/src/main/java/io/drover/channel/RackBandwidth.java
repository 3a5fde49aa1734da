// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import io.drover.core.machine.RackBandwidths;
import java.util.OptionalDouble;

/**
 * The bandwidth that is available between a rack and the others, where it is known.
 *
 * @param rack the rack's name
 * @param up out of the rack, bytes per second, above 0 up to {@value #MAX_BANDWIDTH}
 * @param down into the rack, likewise
 */
public record RackBandwidth(String rack, OptionalDouble up, OptionalDouble down) {
  /** The largest bandwidth, bytes per second: the largest that the scheduler takes. */
  public static final double MAX_BANDWIDTH = RackBandwidths.MAX_BANDWIDTH;

  /** Checks the ranges. */
  public RackBandwidth {
    Validation.name("rack", rack);
    Validation.positive("up", up, MAX_BANDWIDTH);
    Validation.positive("down", down, MAX_BANDWIDTH);
  }
}
