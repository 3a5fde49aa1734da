// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What the links between racks bear, by the fetches of a shuffle that were seen.
 *
 * <p>The bytes of each fetch are spread evenly over its time; so each link has carried so much in
 * each second. Its rate is what it bore at its best, but for the best tenth of its bytes. A fetch
 * crosses two links, and only one of them can be what holds it up. A link that does is full: it
 * carries the same, as much as it can, for as long as there is demand. One that does not follows
 * the demand, up and down. So a link is called a limit if most of its bytes crossed it at close to
 * its rate; of all others it is only known that they bear their rate at least.
 *
 * <p>Mantri section 5.2 asks for the bandwidths that are available and does not say how they are
 * estimated; this needs no probes. (What crossed a link by the time in which anything did would be
 * simpler, and wrong: a link that little is asked of would seem the narrowest.)
 */
public final class LinkMeter {
  /** Seconds in which a link must have carried something before anything is said of it. */
  private static final int LEAST_SECONDS = 5;

  /** Share of the bytes that may cross at more than the rate: bursts, and clocks that differ. */
  private static final double BURSTS = 0.1;

  /** Close to the rate is at least this part of it … */
  private static final double CLOSE = 0.7;

  /** … and most of the bytes at least this part of them. */
  private static final double MOST = 0.6;

  /** A fetch longer than this says little of any second of it; seconds. */
  private static final double LONGEST = 3600;

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
    if (!from.equals(to) && end - start <= LONGEST) {
      up.computeIfAbsent(from, rack -> new Link()).add(start, end, bytes);
      down.computeIfAbsent(to, rack -> new Link()).add(start, end, bytes);
    }
  }

  /** Bandwidth out of a rack, bytes per second, if it has been seen to be a limit. */
  public OptionalDouble up(String rack) {
    return up.getOrDefault(rack, Link.UNUSED).limit();
  }

  /** Bandwidth into a rack, bytes per second, if it has been seen to be a limit. */
  public OptionalDouble down(String rack) {
    return down.getOrDefault(rack, Link.UNUSED).limit();
  }

  /** The highest rate of all links, bytes per second; empty if none was used for long. */
  public OptionalDouble widest() {
    return Stream.concat(up.values().stream(), down.values().stream())
        .map(Link::rate)
        .flatMapToDouble(OptionalDouble::stream)
        .max();
  }

  /** What was seen to leave a rack, bytes. */
  public double sent(String rack) {
    return up.getOrDefault(rack, Link.UNUSED).bytes;
  }

  /** What was seen to enter a rack, bytes. */
  public double received(String rack) {
    return down.getOrDefault(rack, Link.UNUSED).bytes;
  }

  /** What one link has carried in each second. */
  private static final class Link {
    static final Link UNUSED = new Link();

    private final Map<Long, Double> seconds = new HashMap<>();
    private double bytes;

    void add(double start, double end, double amount) {
      bytes += amount;
      long first = (long) Math.floor(start);
      long last = (long) Math.floor(end);
      for (long second = first; second <= last; second++) {
        double overlap = Math.min(end, second + 1.0) - Math.max(start, (double) second);
        double share = end > start ? overlap / (end - start) : 1;
        if (share > 0) {
          seconds.merge(second, amount * share, Double::sum);
        }
      }
    }

    OptionalDouble rate() {
      if (seconds.size() < LEAST_SECONDS) {
        return OptionalDouble.empty();
      }
      List<Double> rates = new ArrayList<>(seconds.values());
      rates.sort(Comparator.reverseOrder());
      double faster = 0;
      for (double rate : rates) {
        faster += rate;
        if (faster > BURSTS * bytes) {
          return OptionalDouble.of(rate);
        }
      }
      return OptionalDouble.empty(); // no bytes at all
    }

    OptionalDouble limit() {
      OptionalDouble rate = rate();
      if (rate.isEmpty()) {
        return rate;
      }
      double close = CLOSE * rate.getAsDouble();
      double atRate =
          seconds.values().stream().filter(r -> r >= close).mapToDouble(Double::doubleValue).sum();
      return atRate >= MOST * bytes ? rate : OptionalDouble.empty();
    }
  }
}
