// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
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
 * <p>The line is {@code host,received,rate,usual;host,received,rate,usual;}, in bytes and bytes per
 * second. What is usual is what came meanwhile from other hosts: if the reduce's own link has
 * become slow, that has as well, and nobody else is to blame. What comes from the reduce's own host
 * takes no link and does not count. The answer of a host behind a slow link may begin when all
 * others have sent theirs. So if nothing has come meanwhile, and nothing is on its way, it is what
 * came shortly before. Safe for several threads.
 */
public final class FetchesUnderWay {
  /** The kind of line. */
  public static final String KIND = "fetching:1";

  /** How long a fetch must have been under way to be reported. */
  static final long LONG_MILLIS = 3_000;

  /** How long before a fetch others may have ended for what they got to be usual still. */
  static final long SHORTLY_MILLIS = 30_000;

  private static final String PREFIX = UmbilicalMessage.prefix(KIND);

  /** A reduce fetches from as many hosts at once as it has fetchers: five, if it is not told. */
  private static final int MOST_HOSTS = 50;

  /** How many fetches that are done are kept. */
  private static final int MOST_DONE = 200;

  private static final double MILLIS = 1e3;

  private final LongSupplier millis;
  private final String ownHost;
  private final Map<String, Long> received = new HashMap<>();
  private final Set<Transfer> transfers = new HashSet<>();
  private final Deque<Done> lately = new ArrayDeque<>();

  /** A fetch that is done. */
  private record Done(String host, long at, double rate) {}

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
          received.merge(host, bytes, Long::sum);
          if (!host.equals(ownHost)) {
            lately.addLast(new Done(host, millis.getAsLong(), rate()));
          }
          if (lately.size() > MOST_DONE) {
            lately.removeFirst();
          }
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
   * @param usual the rate, in the middle, of fetches from other hosts that have ended since this
   *     one began, or else shortly before, bytes per second; 0 if none has
   */
  public record FromHost(String host, long received, long rate, long usual) {}

  /**
   * Creates an empty state.
   *
   * @param millis a clock in milliseconds that never goes back
   * @param ownHost where the reduce runs, as nodes call themselves; may be empty if unknown
   */
  FetchesUnderWay(LongSupplier millis, String ownHost) {
    this.millis = millis;
    this.ownHost = ownHost;
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
    StringBuilder line = new StringBuilder(PREFIX);
    for (Transfer transfer : slow) {
      if (listed.add(transfer.host)) {
        line.append(transfer.host).append(',');
        line.append(received.getOrDefault(transfer.host, 0L) + transfer.bytes).append(',');
        line.append(Math.round(transfer.rate())).append(',');
        line.append(usual(transfer)).append(';');
      }
    }
    return Optional.of(line.toString());
  }

  private long usual(Transfer transfer) {
    long meanwhile = usual(transfer, transfer.since);
    boolean isAlone = transfers.stream().allMatch(other -> other.host.equals(transfer.host));
    return meanwhile > 0 || !isAlone ? meanwhile : usual(transfer, transfer.since - SHORTLY_MILLIS);
  }

  private long usual(Transfer transfer, long since) {
    double[] rates =
        lately.stream()
            .filter(done -> done.at > since && !done.host.equals(transfer.host))
            .mapToDouble(Done::rate)
            .sorted()
            .toArray();
    return rates.length == 0 ? 0 : Math.round(rates[rates.length / 2]);
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
  static Optional<List<FromHost>> decode(String line) {
    if (!isEncoded(line) || line.length() > UmbilicalMessage.MOST_CHARACTERS) {
      return Optional.empty();
    }
    List<FromHost> hosts = new ArrayList<>();
    UmbilicalMessage.Cursor cursor = new UmbilicalMessage.Cursor(line, PREFIX);
    while (!cursor.isAtEnd()) {
      FromHost host =
          new FromHost(cursor.text(), cursor.number(','), cursor.number(','), cursor.number(';'));
      boolean isSound = host.received >= 0 && host.rate >= 0 && host.usual >= 0;
      if (!isSound || hosts.size() == MOST_HOSTS) {
        return Optional.empty();
      }
      hosts.add(host);
    }
    return hosts.isEmpty() ? Optional.empty() : Optional.of(hosts);
  }
}
