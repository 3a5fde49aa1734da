// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Measures the bandwidth of links between racks from the fetches of a shuffle.
 *
 * <p>The bytes of each fetch are spread evenly over its time, which gives the bytes of each link in
 * each second. The rate of a link is the highest of these, once the busiest tenth of its bytes is
 * left out. A fetch crosses two links, and only one of them can be the bottleneck. A bottleneck is
 * full: it carries as much as it can for as long as there is demand. Any other link follows the
 * demand, up and down. So a link counts as a limit, that is a bottleneck, if most of its bytes
 * crossed it at close to its rate. Every other link is only known to carry at least its rate.
 *
 * <p>Mantri section 5.2 asks for the available bandwidths and does not say how to estimate them.
 * This way needs no probes. (The bytes of a link divided by the time in which it carried any would
 * be simpler, and wrong: a link with little demand would seem the narrowest.)
 *
 * <p>A fetch costs the same however long it took ({@link LinkSeconds}). The figures of a link are
 * computed on demand, once after each change. A meter is for one thread; other threads get the
 * {@link Rates}, which are immutable.
 */
public final class LinkMeter {
  /** A link needs this many seconds with traffic before it has a rate. */
  private static final int LEAST_SECONDS = 5;

  /** The share of the bytes that may cross above the rate: bursts, and clocks that differ. */
  private static final double BURSTS = 0.1;

  /** A second is close to the rate if it carried at least this part of it, … */
  private static final double CLOSE = 0.7;

  /** … and a link is a limit if at least this part of its bytes crossed in such seconds. */
  private static final double MOST = 0.6;

  /** A longer fetch, in seconds, is ignored: it says little about any second of it. */
  private static final double LONGEST = 3600;

  /**
   * The figures of all links at one moment.
   *
   * @param up bandwidth out of each rack whose link has been seen to be a limit, bytes per second
   * @param down bandwidth into each such rack, bytes per second
   * @param widest the highest rate of all links, bytes per second; empty if no link has a rate
   */
  public record Rates(Map<String, Double> up, Map<String, Double> down, OptionalDouble widest) {
    /** The figures before any measurement. */
    public static final Rates NONE = new Rates(Map.of(), Map.of(), OptionalDouble.empty());

    /** Returns the bandwidth out of a rack, bytes per second, if it has been seen to be a limit. */
    public OptionalDouble up(String rack) {
      return of(up.get(rack));
    }

    /** Returns the bandwidth into a rack, bytes per second, if it has been seen to be a limit. */
    public OptionalDouble down(String rack) {
      return of(down.get(rack));
    }

    private static OptionalDouble of(Double bandwidth) {
      return bandwidth == null ? OptionalDouble.empty() : OptionalDouble.of(bandwidth);
    }
  }

  private final Map<String, Link> up = new HashMap<>();
  private final Map<String, Link> down = new HashMap<>();
  private final LinkSeconds.Amounts amounts = new LinkSeconds.Amounts();

  /**
   * Takes in a fetch. A fetch within one rack crosses no link.
   *
   * @param from the rack that the bytes came from
   * @param to the rack that they went to
   * @param start seconds on any clock
   * @param end seconds on the same clock, not before the start
   * @param bytes at least 0
   */
  public void add(String from, String to, double start, double end, double bytes) {
    into(to).add(from, start, end, bytes);
  }

  /** Returns a receiver for many fetches that went to one rack. */
  public Into into(String to) {
    return new Into(to, down.computeIfAbsent(to, rack -> new Link()));
  }

  /** Takes in the fetches that went to one rack. */
  public final class Into {
    private final String to;
    private final Link link;

    private Into(String to, Link link) {
      this.to = to;
      this.link = link;
    }

    /** Takes in a fetch, as {@link LinkMeter#add} does. */
    public void add(String from, double start, double end, double bytes) {
      if (!from.equals(to) && end - start <= LONGEST) {
        up.computeIfAbsent(from, rack -> new Link()).add(start, end, bytes);
        link.add(start, end, bytes);
      }
    }
  }

  /** Returns the bandwidth out of a rack, bytes per second, if it has been seen to be a limit. */
  public OptionalDouble up(String rack) {
    return limit(up.get(rack));
  }

  /** Returns the bandwidth into a rack, bytes per second, if it has been seen to be a limit. */
  public OptionalDouble down(String rack) {
    return limit(down.get(rack));
  }

  private OptionalDouble limit(Link link) {
    return link == null ? OptionalDouble.empty() : link.measured(amounts).limit();
  }

  /** Returns the highest rate of all links, bytes per second; empty if no link has a rate. */
  public OptionalDouble widest() {
    return rates().widest();
  }

  /** Returns the bytes seen to leave a rack. */
  public double sent(String rack) {
    return up.containsKey(rack) ? up.get(rack).bytes : 0;
  }

  /** Returns the bytes seen to enter a rack. */
  public double received(String rack) {
    return down.containsKey(rack) ? down.get(rack).bytes : 0;
  }

  /** Returns the present figures of all links. */
  public Rates rates() {
    Map<String, Double> upLimits = new HashMap<>();
    Map<String, Double> downLimits = new HashMap<>();
    double widest = Math.max(limits(up, upLimits), limits(down, downLimits));
    return new Rates(
        Map.copyOf(upLimits),
        Map.copyOf(downLimits),
        widest < 0 ? OptionalDouble.empty() : OptionalDouble.of(widest));
  }

  /** Puts the links that are limits into {@code limits}; returns the highest rate or -1. */
  private double limits(Map<String, Link> links, Map<String, Double> limits) {
    double widest = -1;
    for (Map.Entry<String, Link> entry : links.entrySet()) {
      Measured measured = entry.getValue().measured(amounts);
      measured.limit().ifPresent(limit -> limits.put(entry.getKey(), limit));
      widest = Math.max(widest, measured.rate().orElse(-1));
    }
    return widest;
  }

  /**
   * The figures of one link.
   *
   * @param rate its rate, bytes per second; empty if it has carried bytes in too few seconds
   * @param limit the rate, if the link has been seen to be a limit
   */
  private record Measured(OptionalDouble rate, OptionalDouble limit) {
    static final Measured NOTHING = new Measured(OptionalDouble.empty(), OptionalDouble.empty());

    static Measured of(LinkSeconds.Amounts amounts) {
      OptionalDouble rate =
          amounts.count() < LEAST_SECONDS
              ? OptionalDouble.empty()
              : amounts.largestBut(BURSTS * amounts.sum());
      if (rate.isEmpty()) {
        return NOTHING;
      }
      double atRate = amounts.sumOfAtLeast(CLOSE * rate.getAsDouble());
      return new Measured(rate, atRate >= MOST * amounts.sum() ? rate : OptionalDouble.empty());
    }
  }

  /** One link, with its figures as of the last computation. */
  private static final class Link {
    private final LinkSeconds seconds = new LinkSeconds();
    private double bytes;
    private Measured measured = Measured.NOTHING;
    private boolean isStale;

    void add(double start, double end, double amount) {
      bytes += amount;
      seconds.add(start, end, amount);
      isStale = true;
    }

    Measured measured(LinkSeconds.Amounts scratch) {
      if (isStale) {
        seconds.amounts(scratch);
        measured = Measured.of(scratch);
        isStale = false;
      }
      return measured;
    }
  }
}
