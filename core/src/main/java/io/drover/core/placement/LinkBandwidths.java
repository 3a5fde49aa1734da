// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import io.drover.core.config.PlacementSettings;
import java.util.List;

/**
 * Which bandwidths of the racks' links a placement rests on.
 *
 * <p>What the administrator has said of a rack holds. Of the others, Mantri section 5.2 (and 6.4)
 * has a hybrid: a small phase is over soon, so the bandwidths that are available now are those that
 * it will have; over a long one differences even out, so all links count as alike. The paper does
 * not say where small ends; here it is a setting, the time that the busiest link needs.
 *
 * <p>A link that has not been seen to be a limit counts as the widest of all; while no link has
 * been, all count as they do by default.
 */
public final class LinkBandwidths {
  /** Where the figures are from. */
  public enum Basis {
    /** What was said, or assumed. */
    CONFIGURED,
    /** What was measured in this job; what was said of a rack goes before it. */
    MEASURED,
    /** What was measured is not used, since the shuffle is long. */
    EQUAL
  }

  /**
   * Bandwidths of some racks, in their order.
   *
   * @param up out of each, bytes per second
   * @param down into each, bytes per second
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on to a PlacementProblem, never compared
  public record Bandwidths(double[] up, double[] down, Basis basis) {}

  private final PlacementSettings settings;
  private final LinkMeter meter;

  /** Bandwidths by what was said and what is measured. */
  public LinkBandwidths(PlacementSettings settings, LinkMeter meter) {
    this.settings = settings;
    this.meter = meter;
  }

  /** The bandwidths that are available now, as far as that is known. */
  public Bandwidths now(List<String> racks) {
    boolean measured =
        racks.stream()
            .filter(rack -> !isSaid(rack))
            .anyMatch(rack -> meter.up(rack).isPresent() || meter.down(rack).isPresent());
    double others = measured ? widest() : PlacementSettings.USUAL.up();
    double[] up = new double[racks.size()];
    double[] down = new double[racks.size()];
    for (int r = 0; r < up.length; r++) {
      String rack = racks.get(r);
      up[r] = isSaid(rack) ? settings.up(rack) : meter.up(rack).orElse(others);
      down[r] = isSaid(rack) ? settings.down(rack) : meter.down(rack).orElse(others);
    }
    return new Bandwidths(up, down, measured ? Basis.MEASURED : Basis.CONFIGURED);
  }

  /** The bandwidths over a long time: alike, but for racks of which something was said. */
  public Bandwidths equal(List<String> racks) {
    double others = widest();
    double[] up = new double[racks.size()];
    double[] down = new double[racks.size()];
    for (int r = 0; r < up.length; r++) {
      String rack = racks.get(r);
      up[r] = isSaid(rack) ? settings.up(rack) : others;
      down[r] = isSaid(rack) ? settings.down(rack) : others;
    }
    return new Bandwidths(up, down, Basis.EQUAL);
  }

  private boolean isSaid(String rack) {
    return settings.links().containsKey(rack);
  }

  private double widest() {
    return meter.widest().orElse(PlacementSettings.USUAL.up());
  }
}
