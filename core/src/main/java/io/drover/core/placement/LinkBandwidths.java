// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import io.drover.core.config.PlacementSettings;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.apache.commons.math3.stat.descriptive.rank.Median;

/**
 * Which bandwidths of the racks' links a placement rests on.
 *
 * <p>What the administrator has said of a rack holds. Of the others, Mantri section 5.2 (and 6.4)
 * has a hybrid: a small phase is over soon, so the bandwidths that are available now are those that
 * it will have; over a long one differences even out, so all links count as alike. The paper does
 * not say where small ends; here it is a setting, the time that the busiest link needs.
 *
 * <p>A link of which nothing is known counts as the median of those that are, and where none is, as
 * all do by default.
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
    double[] measuredUp = known(racks, meter::up);
    double[] measuredDown = known(racks, meter::down);
    boolean measured = measuredUp.length + measuredDown.length > 0;
    double usualUp = usual(measuredUp);
    double usualDown = usual(measuredDown);
    double[] up = new double[racks.size()];
    double[] down = new double[racks.size()];
    for (int r = 0; r < up.length; r++) {
      String rack = racks.get(r);
      boolean said = settings.links().containsKey(rack);
      up[r] = said ? settings.up(rack) : meter.up(rack).orElse(usualUp);
      down[r] = said ? settings.down(rack) : meter.down(rack).orElse(usualDown);
    }
    return new Bandwidths(up, down, measured ? Basis.MEASURED : Basis.CONFIGURED);
  }

  /** The bandwidths over a long time: alike, but for racks of which something was said. */
  public Bandwidths equal(List<String> racks) {
    double usualUp = usual(known(racks, meter::up));
    double usualDown = usual(known(racks, meter::down));
    double[] up = new double[racks.size()];
    double[] down = new double[racks.size()];
    for (int r = 0; r < up.length; r++) {
      boolean said = settings.links().containsKey(racks.get(r));
      up[r] = said ? settings.up(racks.get(r)) : usualUp;
      down[r] = said ? settings.down(racks.get(r)) : usualDown;
    }
    return new Bandwidths(up, down, Basis.EQUAL);
  }

  private double[] known(List<String> racks, Function<String, OptionalDouble> bandwidth) {
    return racks.stream()
        .filter(rack -> !settings.links().containsKey(rack))
        .map(bandwidth)
        .flatMapToDouble(OptionalDouble::stream)
        .toArray();
  }

  private static double usual(double[] known) {
    return known.length == 0 ? PlacementSettings.USUAL.up() : new Median().evaluate(known);
  }
}
