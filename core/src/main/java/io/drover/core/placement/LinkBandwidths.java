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
 * Chooses the bandwidths of the racks' links for a placement.
 *
 * <p>A bandwidth that the administrator configured always applies. For the other racks Mantri
 * sections 5.2 and 6.4 have a hybrid. A small phase is over soon, so it gets the bandwidths that
 * are available now. Over a long phase differences even out, so all links count as equal. The paper
 * does not say where small ends. Here a setting says it, as the time that the busiest link needs.
 *
 * <p>A link that has not been seen as a bottleneck counts as the widest of all. While no link has
 * been seen as one, all have the default bandwidth.
 */
public final class LinkBandwidths {
  /** The source of the bandwidths. */
  public enum Basis {
    /** Configured values, or the default. */
    CONFIGURED,
    /** Measured in this job or outside it, except for racks with configured values. */
    MEASURED,
    /** All links count as equal, because the shuffle is long. */
    EQUAL
  }

  /** The bandwidths that were measured outside this job. */
  public interface Known {
    /** Returns the bandwidth out of a rack, bytes per second; empty if not known. */
    OptionalDouble up(String rack);

    /** Returns the bandwidth into a rack, bytes per second; empty if not known. */
    OptionalDouble down(String rack);
  }

  /**
   * The bandwidths of some racks, in the order of the racks.
   *
   * @param up out of each rack, bytes per second
   * @param down into each rack, bytes per second
   */
  @SuppressWarnings("ArrayRecordComponent") // passed to a PlacementProblem, never compared
  public record Bandwidths(double[] up, double[] down, Basis basis) {}

  private final PlacementSettings settings;
  private final Supplier<Rates> measured;
  private final Known cluster;

  /**
   * Creates a source of bandwidths from configured and measured values.
   *
   * @param measured what this job has measured until now; each request calls it once
   * @param cluster the bandwidths of links that the job has not measured
   */
  public LinkBandwidths(PlacementSettings settings, Supplier<Rates> measured, Known cluster) {
    this.settings = settings;
    this.measured = measured;
    this.cluster = cluster;
  }

  /** Returns the bandwidths that are available now, as far as they are known. */
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

  /** Returns the bandwidths over a long time: equal for all racks without configured values. */
  public Bandwidths equal(List<String> racks) {
    double all = widest(measured.get(), racks);
    return bandwidths(racks, rack -> all, rack -> all, Basis.EQUAL);
  }

  /** Returns the configured bandwidths of racks, and the given ones of all other racks. */
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
