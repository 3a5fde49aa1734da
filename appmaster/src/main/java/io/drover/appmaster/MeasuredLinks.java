// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import io.drover.core.config.PlacementSettings;
import io.drover.core.placement.LinkBandwidths;
import io.drover.core.placement.LinkBandwidths.Bandwidths;
import io.drover.core.placement.LinkMeter;
import io.drover.speculator.DecisionLogSink;
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
 * Measures the bandwidths of the links between racks from the fetches of reduces.
 *
 * <p>One thread takes in what the reduces report and computes the figures ({@link #publish}). Other
 * threads, such as the allocator's, read what was published last. That never changes, so they need
 * no lock.
 */
final class MeasuredLinks {
  /** The largest difference between the clocks of two machines, milliseconds. */
  private static final long CLOCKS_DIFFER = 60_000;

  /** The factor by which a bandwidth must change to be worth a line. */
  private static final double NEWS = 1.25;

  /** How long hosts of a line are looked up; after that, fetches from unknown hosts are dropped. */
  private static final Duration LOOK_UP = Duration.ofSeconds(1);

  /** How many hosts' racks are kept: more than any cluster has, fewer than fill the memory. */
  private static final int MOST_HOSTS = 100_000;

  /** What other threads see, replaced as a whole. */
  private record Published(LinkMeter.Rates rates, int news) {}

  private final LinkBandwidths bandwidths;
  private final UnaryOperator<String> rackOf;
  private final ClusterChannel cluster;
  private final DecisionLogSink lines;
  private volatile Published published = new Published(LinkMeter.Rates.NONE, 0);

  // used only by the thread that calls onLine and publish
  private final LinkMeter meter = new LinkMeter();
  private final Map<String, String> racks = new HashMap<>();
  private final Map<String, double[]> written = new HashMap<>();
  private final Set<String> touched = new HashSet<>();

  /**
   * Creates links of which only the configured bandwidths and those from the cluster are known.
   *
   * @param rackOf returns the rack of a host; it may be slow
   * @param cluster also receives what is measured here
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
   * Takes in a reduce's line, which may hold anything; it counts from the next {@link #publish}.
   *
   * @param to the rack in which the reduce runs
   * @param since no fetch began earlier, milliseconds since the epoch
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

  /** Publishes what was taken in. Runs on the thread that calls {@link #onLine}. */
  void publish() {
    int news = published.news();
    for (String rack : new TreeSet<>(touched)) {
      news += writeIfNew(rack) ? 1 : 0;
    }
    touched.clear();
    published = new Published(meter.rates(), news);
  }

  /** Writes a rack's bandwidths if one is new; returns whether one has changed. */
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

  /** Returns a number that grows whenever a bandwidth is found to have changed. */
  int news() {
    return published.news();
  }

  /** Returns the bandwidths that are available now. */
  Bandwidths now(List<String> of) {
    return bandwidths.now(of);
  }

  /** Returns the bandwidths to expect over a long time. */
  Bandwidths equal(List<String> of) {
    return bandwidths.equal(of);
  }
}
