// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.config.PlacementSettings;
import io.drover.core.placement.LinkBandwidths;
import io.drover.core.placement.LinkBandwidths.Bandwidths;
import io.drover.core.placement.LinkMeter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * The bandwidths of the links between racks, by what reduces tell of their fetches. They tell on
 * the threads of the RPC server; the allocator's asks.
 */
final class MeasuredLinks {
  /** Clocks of machines differ by so much at most, milliseconds. */
  private static final long CLOCKS_DIFFER = 60_000;

  /** A bandwidth that has changed by this factor is worth a line. */
  private static final double NEWS = 1.25;

  private final LinkMeter meter = new LinkMeter();
  private final LinkBandwidths bandwidths;
  private final UnaryOperator<String> rackOf;
  private final ClusterChannel cluster;
  private final DecisionLines lines;
  private final Map<String, double[]> written = new HashMap<>();
  private int news;

  /**
   * Links of which only what is configured, and what the cluster tells, is known.
   *
   * @param rackOf the rack of a host
   * @param cluster is told what is measured here
   */
  MeasuredLinks(
      PlacementSettings settings,
      UnaryOperator<String> rackOf,
      ClusterChannel cluster,
      DecisionLines lines) {
    this.bandwidths = new LinkBandwidths(settings, meter, cluster);
    this.rackOf = rackOf;
    this.cluster = cluster;
    this.lines = lines;
  }

  /**
   * A reduce tells of its fetches; it may say anything.
   *
   * @param to the rack in which the reduce runs
   * @param since when the job began, milliseconds since the epoch
   * @param now milliseconds since the epoch
   */
  void told(String to, String line, long since, long now) {
    List<Fetches.Fetch> fetches =
        Fetches.decode(line, since - CLOCKS_DIFFER, now + CLOCKS_DIFFER).orElse(List.of());
    Map<String, String> racks = new HashMap<>();
    fetches.forEach(fetch -> racks.computeIfAbsent(fetch.host(), rackOf)); // which may be slow
    count(to, fetches, racks);
  }

  private synchronized void count(
      String to, List<Fetches.Fetch> fetches, Map<String, String> racks) {
    Set<String> touched = new TreeSet<>(racks.values());
    touched.add(to);
    for (Fetches.Fetch fetch : fetches) {
      String from = racks.get(fetch.host());
      meter.add(from, to, fetch.start() / 1e3, fetch.end() / 1e3, (double) fetch.bytes());
    }
    touched.forEach(this::writeIfNew);
  }

  private void writeIfNew(String rack) {
    double up = meter.up(rack).orElse(0);
    double down = meter.down(rack).orElse(0);
    boolean isFirst = !written.containsKey(rack);
    double[] before = written.getOrDefault(rack, new double[2]);
    boolean isNews = isNew(before[0], up) || isNew(before[1], down);
    if (isFirst || isNews) {
      written.put(rack, new double[] {up, down});
      if (isNews) {
        news++;
        cluster.bandwidth(rack, meter.up(rack), meter.down(rack));
      }
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("rack", rack);
      put(fields, "up", meter.up(rack));
      put(fields, "down", meter.down(rack));
      fields.put("sentBytes", Math.round(meter.sent(rack)));
      fields.put("receivedBytes", Math.round(meter.received(rack)));
      lines.write("link", fields);
    }
  }

  private static void put(Map<String, Object> fields, String name, OptionalDouble bandwidth) {
    if (bandwidth.isPresent()) {
      fields.put(name, Math.round(bandwidth.getAsDouble()));
    }
  }

  private static boolean isNew(double before, double now) {
    return now > before * NEWS || now < before / NEWS;
  }

  /** Grows whenever a bandwidth is found to be another. */
  synchronized int news() {
    return news;
  }

  /** The bandwidths that are available now. */
  synchronized Bandwidths now(List<String> racks) {
    return bandwidths.now(racks);
  }

  /** The bandwidths over a long time. */
  synchronized Bandwidths equal(List<String> racks) {
    return bandwidths.equal(racks);
  }
}
