// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.config.PlacementSettings;
import io.drover.core.placement.LinkBandwidths;
import io.drover.core.placement.LinkBandwidths.Bandwidths;
import io.drover.core.placement.LinkMeter;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * The bandwidths of the links between racks, measured from the reduces' fetches.
 *
 * <p>One thread takes in what they tell, and computes the figures ({@link #publish}). Others, the
 * allocator's say, read what was published last, which never changes: they wait for no lock.
 */
final class MeasuredLinks {
  /** Clocks of machines differ by so much at most, milliseconds. */
  private static final long CLOCKS_DIFFER = 60_000;

  /** A bandwidth that has changed by this factor is worth a line. */
  private static final double NEWS = 1.25;

  /** So long the racks of a line's hosts are looked up; the rest of its fetches is left out. */
  private static final Duration LOOK_UP = Duration.ofSeconds(1);

  /** Hosts whose rack is remembered: more than any cluster has, fewer than fill the memory. */
  private static final int MOST_HOSTS = 100_000;

  /** What other threads see, all at once. */
  private record Published(LinkMeter.Rates rates, int news) {}

  private final LinkBandwidths bandwidths;
  private final UnaryOperator<String> rackOf;
  private final ClusterChannel cluster;
  private final DecisionLogSink lines;
  private volatile Published published = new Published(LinkMeter.Rates.NONE, 0);

  // of the thread that takes in
  private final LinkMeter meter = new LinkMeter();
  private final Map<String, String> racks = new HashMap<>();
  private final Map<String, double[]> written = new HashMap<>();
  private final Set<String> touched = new HashSet<>();

  /**
   * Links of which only what is configured, and what the cluster tells, is known.
   *
   * @param rackOf the rack of a host; it may be slow
   * @param cluster is told what is measured here
   */
  MeasuredLinks(
      PlacementSettings settings,
      UnaryOperator<String> rackOf,
      ClusterChannel cluster,
      DecisionLogSink lines) {
    this.bandwidths = new LinkBandwidths(settings, () -> published.rates(), cluster);
    this.rackOf = rackOf;
    this.cluster = cluster;
    this.lines = lines;
  }

  /**
   * A reduce tells of its fetches; it may say anything. It counts from the next {@link #publish}.
   *
   * @param to the rack in which the reduce runs
   * @param since when the job began, milliseconds since the epoch
   * @param now milliseconds since the epoch
   */
  void onLine(String to, String line, long since, long now) {
    List<Fetches.Fetch> fetches =
        Fetches.decode(line, since - CLOCKS_DIFFER, now + CLOCKS_DIFFER).orElse(List.of());
    LinkMeter.Into into = meter.into(to);
    long begin = System.nanoTime();
    for (Fetches.Fetch fetch : fetches) {
      String from = racks.get(fetch.host());
      if (from == null && System.nanoTime() - begin < LOOK_UP.toNanos()) {
        from = lookUp(fetch.host());
      }
      if (from != null) {
        into.add(from, fetch.start() / 1e3, fetch.end() / 1e3, (double) fetch.bytes());
        touched.add(from);
      }
    }
    touched.add(to);
  }

  private String lookUp(String host) {
    if (racks.size() >= MOST_HOSTS) {
      racks.clear();
    }
    String rack = rackOf.apply(host);
    racks.put(host, rack);
    return rack;
  }

  /** Makes what was told visible to all. Of the thread that takes in. */
  void publish() {
    int news = published.news();
    for (String rack : new TreeSet<>(touched)) {
      news += writeIfNew(rack) ? 1 : 0;
    }
    touched.clear();
    published = new Published(meter.rates(), news);
  }

  /** Returns whether one of the rack's bandwidths is another than before. */
  private boolean writeIfNew(String rack) {
    OptionalDouble up = meter.up(rack);
    OptionalDouble down = meter.down(rack);
    double[] before = written.get(rack);
    boolean isFirst = before == null;
    boolean isNews =
        isNew(isFirst ? 0 : before[0], up.orElse(0))
            || isNew(isFirst ? 0 : before[1], down.orElse(0));
    if (isFirst || isNews) {
      written.put(rack, new double[] {up.orElse(0), down.orElse(0)});
      if (isNews) {
        cluster.bandwidth(rack, up, down);
      }
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("rack", rack);
      put(fields, "up", up);
      put(fields, "down", down);
      fields.put("sentBytes", Math.round(meter.sent(rack)));
      fields.put("receivedBytes", Math.round(meter.received(rack)));
      lines.write("link", fields);
    }
    return isNews;
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
  int news() {
    return published.news();
  }

  /** The bandwidths that are available now. */
  Bandwidths now(List<String> of) {
    return bandwidths.now(of);
  }

  /** The bandwidths over a long time. */
  Bandwidths equal(List<String> of) {
    return bandwidths.equal(of);
  }
}
