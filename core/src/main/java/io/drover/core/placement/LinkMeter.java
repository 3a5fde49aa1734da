// SPDX-License-Identifier: Apache-2.0
package io.drover.core.placement;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Measures the bandwidth of links between racks from the fetches of a shuffle.
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
 *
 * <p>A fetch costs the same however long it took ({@link LinkSeconds}). The figures of a link are
 * computed when they are asked for, once after each change. For one thread; others are given the
 * {@link Rates}, which never change.
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

  /**
   * The figures of all links at one moment.
   *
   * @param up bandwidth out of each rack whose link has been seen to be a limit, bytes per second
   * @param down bandwidth into each such rack, bytes per second
   * @param widest the highest rate of all links, bytes per second; empty if none was used for long
   */
  public record Rates(Map<String, Double> up, Map<String, Double> down, OptionalDouble widest) {
    /** What is known before anything was measured. */
    public static final Rates NONE = new Rates(Map.of(), Map.of(), OptionalDouble.empty());

    /** Bandwidth out of a rack, bytes per second, if it has been seen to be a limit. */
    public OptionalDouble up(String rack) {
      return of(up.get(rack));
    }

    /** Bandwidth into a rack, bytes per second, if it has been seen to be a limit. */
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
   * A fetch was seen; within one rack it crosses no link.
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

  /** Takes in many fetches that went to one rack. */
  public Into into(String to) {
    return new Into(to, down.computeIfAbsent(to, rack -> new Link()));
  }

  /** The fetches that went to one rack. */
  public final class Into {
    private final String to;
    private final Link link;

    private Into(String to, Link link) {
      this.to = to;
      this.link = link;
    }

    /** See {@link LinkMeter#add}. */
    public void add(String from, double start, double end, double bytes) {
      if (!from.equals(to) && end - start <= LONGEST) {
        up.computeIfAbsent(from, rack -> new Link()).add(start, end, bytes);
        link.add(start, end, bytes);
      }
    }
  }

  /** Bandwidth out of a rack, bytes per second, if it has been seen to be a limit. */
  public OptionalDouble up(String rack) {
    return limit(up.get(rack));
  }

  /** Bandwidth into a rack, bytes per second, if it has been seen to be a limit. */
  public OptionalDouble down(String rack) {
    return limit(down.get(rack));
  }

  private OptionalDouble limit(Link link) {
    return link == null ? OptionalDouble.empty() : link.measured(amounts).limit();
  }

  /** The highest rate of all links, bytes per second; empty if none was used for long. */
  public OptionalDouble widest() {
    return rates().widest();
  }

  /** What was seen to leave a rack, bytes. */
  public double sent(String rack) {
    return up.containsKey(rack) ? up.get(rack).bytes : 0;
  }

  /** What was seen to enter a rack, bytes. */
  public double received(String rack) {
    return down.containsKey(rack) ? down.get(rack).bytes : 0;
  }

  /** The figures of all links now. */
  public Rates rates() {
    Map<String, Double> upLimits = new HashMap<>();
    Map<String, Double> downLimits = new HashMap<>();
    double widest = Math.max(limits(up, upLimits), limits(down, downLimits));
    return new Rates(
        Map.copyOf(upLimits),
        Map.copyOf(downLimits),
        widest < 0 ? OptionalDouble.empty() : OptionalDouble.of(widest));
  }

  /** Fills in the links that are limits, and returns the highest rate; negative: there is none. */
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
   * @param rate that it has borne, bytes per second; empty if it was not used for long enough
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

  /** One link, and its figures if nothing has been added since they were computed. */
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
