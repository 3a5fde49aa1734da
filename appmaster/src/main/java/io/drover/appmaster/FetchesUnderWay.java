// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The fetches of a reduce that have been under way for long, as a line of text. A reduce sends it
 * to the AppMaster every few seconds while there are any: what comes so slowly may be there sooner
 * if it is made again elsewhere.
 *
 * <p>The line is {@code usual;host,received,rate;host,received,rate;}, in bytes and bytes per
 * second. Safe for several threads.
 */
public final class FetchesUnderWay {
  /** The kind of line. */
  public static final String KIND = "fetching:1";

  /** How long a fetch must have been under way to be reported. */
  static final long LONG_MILLIS = 3_000;

  private static final String PREFIX = UmbilicalMessage.prefix(KIND);

  /** A reduce fetches from as many hosts at once as it has fetchers: five, if it is not told. */
  private static final int MOST_HOSTS = 50;

  private static final double MILLIS = 1e3;

  private final LongSupplier millis;
  private final Map<String, Total> totals = new HashMap<>();
  private final Set<Transfer> transfers = new HashSet<>();

  /** What has been fetched from a host, and how long that took. */
  private static final class Total {
    private long bytes;
    private long millis;
  }

  /** A fetch that is under way. */
  final class Transfer {
    private final String host;
    private final long since = millis.getAsLong();
    private long bytes;

    private Transfer(String host) {
      this.host = host;
    }

    /** Notes that bytes have come. */
    void received(long more) {
      synchronized (FetchesUnderWay.this) {
        bytes += more;
      }
    }

    /**
     * Ends the fetch.
     *
     * @param isWhole whether all of it has come; if not, it begins again and does not count
     */
    void end(boolean isWhole) {
      synchronized (FetchesUnderWay.this) {
        transfers.remove(this);
        if (isWhole) {
          Total total = totals.computeIfAbsent(host, h -> new Total());
          total.bytes += bytes;
          total.millis += millis();
        }
      }
    }

    private long millis() {
      return Math.max(1, millis.getAsLong() - since);
    }

    private double rate() {
      return bytes * MILLIS / millis();
    }
  }

  /**
   * What a reduce gets from a host.
   *
   * @param host the host that sends
   * @param received bytes that have come from there until now
   * @param rate of the fetch that is under way, bytes per second
   */
  public record FromHost(String host, long received, long rate) {}

  /**
   * What a line says.
   *
   * @param usual the rate from a host in the middle of those that are not listed, bytes per second;
   *     0 if none is known
   */
  public record Said(long usual, List<FromHost> hosts) {}

  /**
   * Creates an empty state.
   *
   * @param millis a clock in milliseconds that never goes back
   */
  FetchesUnderWay(LongSupplier millis) {
    this.millis = millis;
  }

  /** Begins a fetch. */
  synchronized Transfer begin(String host) {
    Transfer transfer = new Transfer(host);
    transfers.add(transfer);
    return transfer;
  }

  /** Returns the line about the fetches that have been under way for long; empty if none has. */
  synchronized Optional<String> encode() {
    List<Transfer> slow =
        transfers.stream()
            .filter(transfer -> transfer.millis() >= LONG_MILLIS)
            .sorted(Comparator.comparingDouble(Transfer::rate))
            .limit(MOST_HOSTS)
            .toList();
    if (slow.isEmpty()) {
      return Optional.empty();
    }
    Set<String> listed = new HashSet<>();
    StringBuilder entries = new StringBuilder();
    for (Transfer transfer : slow) {
      if (listed.add(transfer.host)) {
        Total total = totals.getOrDefault(transfer.host, new Total());
        entries.append(transfer.host).append(',');
        entries.append(total.bytes + transfer.bytes).append(',');
        entries.append(Math.round(transfer.rate())).append(';');
      }
    }
    return Optional.of(PREFIX + usual(listed) + ';' + entries);
  }

  private long usual(Set<String> without) {
    List<Double> rates = new ArrayList<>();
    totals.forEach(
        (host, total) -> {
          if (!without.contains(host)) {
            rates.add(total.bytes * MILLIS / total.millis);
          }
        });
    rates.sort(null);
    return rates.isEmpty() ? 0 : Math.round(rates.get(rates.size() / 2));
  }

  /** Returns whether a line claims to be about fetches that are under way. */
  static boolean isEncoded(String line) {
    return line != null && line.startsWith(PREFIX);
  }

  /**
   * Returns what a line says, which comes from another process and may hold anything.
   *
   * @return empty if it is not such a line
   */
  static Optional<Said> decode(String line) {
    if (!isEncoded(line) || line.length() > UmbilicalMessage.MOST_CHARACTERS) {
      return Optional.empty();
    }
    String[] entries = line.substring(PREFIX.length()).split(";", -1);
    List<FromHost> hosts = new ArrayList<>();
    long usual = number(entries[0]);
    boolean isSound = usual >= 0 && entries[entries.length - 1].isEmpty();
    for (int i = 1; i < entries.length - 1; i++) {
      String[] fields = entries[i].split(",", -1);
      long received = fields.length == 3 ? number(fields[1]) : -1;
      long rate = fields.length == 3 ? number(fields[2]) : -1;
      isSound &= received >= 0 && rate >= 0;
      hosts.add(new FromHost(fields[0], received, rate));
    }
    return isSound && !hosts.isEmpty() && hosts.size() <= MOST_HOSTS
        ? Optional.of(new Said(usual, hosts))
        : Optional.empty();
  }

  /** Returns a number of at most 18 digits; -1 if it is none. */
  private static long number(String text) {
    boolean isNumber =
        !text.isEmpty() && text.length() <= 18 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return isNumber ? Long.parseLong(text) : -1;
  }
}
