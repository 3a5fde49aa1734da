// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import io.drover.core.config.PlacementSettings;
import io.drover.core.placement.LinkMeter.Rates;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * Chooses the bandwidths of racks' links for a placement.
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
    /** What was measured, in this job or by others; what was said of a rack goes before it. */
    MEASURED,
    /** What was measured is not used, since the shuffle is long. */
    EQUAL
  }

  /** What others have measured. */
  public interface Known {
    /** Out of a rack, bytes per second. */
    OptionalDouble up(String rack);

    /** Into a rack, bytes per second. */
    OptionalDouble down(String rack);
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
  private final Supplier<Rates> measured;
  private final Known cluster;

  /**
   * Bandwidths by what was said and what is measured.
   *
   * @param measured what this job has measured until now; each question asks for it once
   * @param cluster what is known of links that the job has not measured
   */
  public LinkBandwidths(PlacementSettings settings, Supplier<Rates> measured, Known cluster) {
    this.settings = settings;
    this.measured = measured;
    this.cluster = cluster;
  }

  /** The bandwidths that are available now, as far as that is known. */
  public Bandwidths now(List<String> racks) {
    Rates here = measured.get();
    boolean isMeasured =
        racks.stream()
            .filter(rack -> !isSaid(rack))
            .anyMatch(rack -> up(here, rack).isPresent() || down(here, rack).isPresent());
    double others = isMeasured ? widest(here, racks) : PlacementSettings.USUAL.up();
    return bandwidths(
        racks,
        rack -> up(here, rack).orElse(others),
        rack -> down(here, rack).orElse(others),
        isMeasured ? Basis.MEASURED : Basis.CONFIGURED);
  }

  /** The bandwidths over a long time: alike, but for racks of which something was said. */
  public Bandwidths equal(List<String> racks) {
    double all = widest(measured.get(), racks);
    return bandwidths(racks, rack -> all, rack -> all, Basis.EQUAL);
  }

  /** What was said of racks, and the given bandwidths of the others. */
  private Bandwidths bandwidths(
      List<String> racks, ToDoubleFunction<String> up, ToDoubleFunction<String> down, Basis basis) {
    return new Bandwidths(
        racks.stream()
            .mapToDouble(rack -> isSaid(rack) ? settings.up(rack) : up.applyAsDouble(rack))
            .toArray(),
        racks.stream()
            .mapToDouble(rack -> isSaid(rack) ? settings.down(rack) : down.applyAsDouble(rack))
            .toArray(),
        basis);
  }

  private boolean isSaid(String rack) {
    return settings.links().containsKey(rack);
  }

  private OptionalDouble up(Rates here, String rack) {
    OptionalDouble up = here.up(rack);
    return up.isPresent() ? up : cluster.up(rack);
  }

  private OptionalDouble down(Rates here, String rack) {
    OptionalDouble down = here.down(rack);
    return down.isPresent() ? down : cluster.down(rack);
  }

  private double widest(Rates here, List<String> racks) {
    DoubleStream known =
        racks.stream()
            .flatMapToDouble(
                rack -> DoubleStream.concat(up(here, rack).stream(), down(here, rack).stream()));
    return DoubleStream.concat(known, here.widest().stream())
        .max()
        .orElse(PlacementSettings.USUAL.up());
  }
}
