// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The fetches of a reduce, by host and time, as lines of text. A reduce sends them to the AppMaster
 * when it has all of its input.
 *
 * <p>Fetches from one host that follow closely on each other are joined, so that little is sent: at
 * most {@value #PER_HOST} entries for each host, and fewer if there are thousands of hosts. Each
 * line can be read without the others.
 */
public final class Fetches {
  /** The kind of line. */
  public static final String KIND = "fetches:1";

  private static final String PREFIX = UmbilicalMessage.prefix(KIND);
  private static final int PER_HOST = 8;

  /** The most entries that are sent, as long as there are fewer hosts: about 200 KB. */
  private static final int MOST = 4_000;

  /** Fetches that are kept for each entry, until all have been added. */
  private static final int KEPT = 4;

  /**
   * A fetch, or several that followed each other.
   *
   * @param host the host that sent the bytes
   * @param start milliseconds since the epoch
   * @param end milliseconds since the epoch, not before the start
   * @param bytes on the wire, at least 0
   */
  public record Fetch(String host, long start, long end, long bytes) {
    private Fetch and(Fetch other) {
      return new Fetch(
          host, Math.min(start, other.start), Math.max(end, other.end), bytes + other.bytes);
    }
  }

  private final Map<String, List<Fetch>> byHost = new TreeMap<>();

  /** Adds a fetch. Any thread may call this. */
  public synchronized void add(Fetch fetch) {
    List<Fetch> fetches = byHost.computeIfAbsent(fetch.host(), host -> new ArrayList<>());
    fetches.add(fetch);
    int most = KEPT * each();
    if (fetches.size() >= 2 * most) { // tens of thousands of maps would fill the memory
      byHost.put(fetch.host(), joined(fetches, most));
    }
  }

  /** Returns how many entries are sent for each host. */
  private int each() {
    return Math.max(1, Math.min(PER_HOST, MOST / Math.max(1, byHost.size())));
  }

  /** Returns the lines for all fetches that were added; at least one. */
  public synchronized List<String> encode() {
    List<String> lines = new ArrayList<>();
    int each = each();
    StringBuilder line = new StringBuilder(PREFIX);
    StringBuilder entry = new StringBuilder();
    for (List<Fetch> fetches : byHost.values()) {
      for (Fetch fetch : joined(fetches, each)) {
        entry.setLength(0);
        entry.append(fetch.host()).append(',').append(fetch.start()).append(',');
        entry.append(fetch.end() - fetch.start()).append(',').append(fetch.bytes()).append(';');
        if (line.length() + entry.length() > UmbilicalMessage.MOST_CHARACTERS) {
          lines.add(line.toString());
          line.setLength(PREFIX.length());
        }
        line.append(entry);
      }
    }
    lines.add(line.toString());
    return lines;
  }

  /** Joins the fetches of a host across all but the longest pauses. */
  private static List<Fetch> joined(List<Fetch> fetches, int most) {
    List<Fetch> byStart = new ArrayList<>(fetches);
    byStart.sort(Comparator.comparingLong(Fetch::start));
    List<Fetch> separate = new ArrayList<>();
    for (Fetch fetch : byStart) {
      int last = separate.size() - 1;
      if (last >= 0 && fetch.start() <= separate.get(last).end()) {
        separate.set(last, separate.get(last).and(fetch));
      } else {
        separate.add(fetch);
      }
    }
    long shortest = shortestPauseToKeep(separate, most);
    List<Fetch> joined = new ArrayList<>(separate.subList(0, 1));
    for (Fetch fetch : separate.subList(1, separate.size())) {
      Fetch last = joined.get(joined.size() - 1);
      boolean keeps = joined.size() < most && fetch.start() - last.end() >= shortest;
      if (keeps) {
        joined.add(fetch);
      } else {
        joined.set(joined.size() - 1, last.and(fetch));
      }
    }
    return joined;
  }

  private static long shortestPauseToKeep(List<Fetch> separate, int most) {
    if (separate.size() <= most) {
      return 0;
    }
    List<Long> pauses = new ArrayList<>();
    for (int i = 1; i < separate.size(); i++) {
      pauses.add(separate.get(i).start() - separate.get(i - 1).end());
    }
    pauses.sort(Comparator.reverseOrder());
    return most == 1 ? Long.MAX_VALUE : pauses.get(most - 2);
  }

  /** Returns whether a line claims to hold fetches. */
  public static boolean isEncoded(String line) {
    return line != null && line.startsWith(PREFIX);
  }

  /**
   * Returns the fetches in a line, which comes from another process and may hold anything.
   *
   * @param from no fetch can have begun before, milliseconds since the epoch
   * @param to no fetch can have ended after, milliseconds since the epoch
   * @return empty if the line holds anything but fetches in that time
   */
  public static Optional<List<Fetch>> decode(String line, long from, long to) {
    if (!isEncoded(line) || line.length() > UmbilicalMessage.MOST_CHARACTERS) {
      return Optional.empty();
    }
    List<Fetch> fetches = new ArrayList<>();
    UmbilicalMessage.Cursor cursor = new UmbilicalMessage.Cursor(line, PREFIX);
    while (!cursor.isAtEnd()) {
      String host = cursor.text();
      long start = cursor.number(',');
      long millis = cursor.number(',');
      long bytes = cursor.number(';');
      boolean isSound =
          start >= 0 && start >= from && millis >= 0 && millis <= to - start && bytes >= 0;
      if (!isSound) {
        return Optional.empty();
      }
      fetches.add(new Fetch(host, start, start + millis, bytes));
    }
    return Optional.of(fetches);
  }
}
