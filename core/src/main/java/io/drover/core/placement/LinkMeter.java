// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * How fast the bytes of a shuffle crossed the links between racks, by the fetches that were seen:
 *
 * <pre>
 *   bandwidth of a link = bytes that crossed it / time in which at least one fetch crossed it
 * </pre>
 *
 * <p>Mantri section 5.2 asks for the available bandwidth and does not say how it is estimated. This
 * one needs no probes. It is what the job got: at most the bandwidth that is available, and close
 * to it where the link is what holds fetches up, which are the links that matter. A link that few
 * bytes have crossed, or for a moment only, is not known.
 */
public final class LinkMeter {
  /** Time of fetches, seconds, below which nothing is said: they are timed in milliseconds. */
  private static final double LEAST_SECONDS = 0.05;

  /** Bytes below which nothing is said: it would be the latency of a fetch or two. */
  private static final double LEAST_BYTES = 1e6;

  private final Map<String, Link> up = new HashMap<>();
  private final Map<String, Link> down = new HashMap<>();

  /**
   * A fetch was seen; within one rack it crosses no link.
   *
   * @param from the rack that the bytes came from
   * @param to the rack that they went to
   * @param start seconds on any clock
   * @param end seconds on the same clock, not before the start
   * @param bytes at least 0
   */
  public void add(String from, String to, double start, double end, double bytes) {
    if (!from.equals(to)) {
      up.computeIfAbsent(from, rack -> new Link()).add(start, end, bytes);
      down.computeIfAbsent(to, rack -> new Link()).add(start, end, bytes);
    }
  }

  /** Bandwidth out of a rack, bytes per second; empty if it is not known. */
  public OptionalDouble up(String rack) {
    return bandwidth(up.get(rack));
  }

  /** Bandwidth into a rack, bytes per second; empty if it is not known. */
  public OptionalDouble down(String rack) {
    return bandwidth(down.get(rack));
  }

  /** What was seen to leave a rack, bytes. */
  public double sent(String rack) {
    return up.containsKey(rack) ? up.get(rack).bytes : 0;
  }

  /** What was seen to enter a rack, bytes. */
  public double received(String rack) {
    return down.containsKey(rack) ? down.get(rack).bytes : 0;
  }

  private static OptionalDouble bandwidth(Link link) {
    boolean known = link != null && link.bytes >= LEAST_BYTES && link.busySeconds >= LEAST_SECONDS;
    return known ? OptionalDouble.of(link.bytes / link.busySeconds) : OptionalDouble.empty();
  }

  /** The bytes of one link, and when it was busy. */
  private static final class Link {
    /** Ends by starts, of intervals that do not touch. */
    private final TreeMap<Double, Double> busy = new TreeMap<>();

    private double bytes;
    private double busySeconds;

    void add(double start, double end, double amount) {
      bytes += amount;
      double from = start;
      double to = end;
      Map.Entry<Double, Double> other = busy.floorEntry(to);
      while (other != null && other.getValue() >= from) {
        from = Math.min(from, other.getKey());
        to = Math.max(to, other.getValue());
        busy.remove(other.getKey());
        busySeconds -= other.getValue() - other.getKey();
        other = busy.floorEntry(to);
      }
      busy.put(from, to);
      busySeconds += to - from;
    }
  }
}
