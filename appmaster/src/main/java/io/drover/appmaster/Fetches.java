// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a reduce fetched from which host and when, as a line of text: what it tells the AppMaster
 * when it has all of its input.
 *
 * <p>Fetches from one host that follow close on each other are told as one, so that the line stays
 * short: at most {@value #PER_HOST} for each host, and fewer of thousands of hosts.
 */
public final class Fetches {
  private static final String PREFIX = TaskWord.prefix("fetches", 1);
  private static final int PER_HOST = 8;

  /** Fetches in a line, as long as there are fewer hosts: some 150 KB. */
  private static final int MOST = 4_000;

  private static final int MOST_CHARACTERS = 4 << 20;

  /**
   * A fetch, or several that followed each other.
   *
   * @param host that the bytes came from
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

  /** Counts a fetch; any thread may call this. */
  public synchronized void add(Fetch fetch) {
    byHost.computeIfAbsent(fetch.host(), host -> new ArrayList<>()).add(fetch);
  }

  /** The line for all that was counted. */
  public synchronized String encode() {
    int each = Math.max(1, Math.min(PER_HOST, MOST / Math.max(1, byHost.size())));
    StringBuilder line = new StringBuilder(PREFIX);
    for (List<Fetch> fetches : byHost.values()) {
      for (Fetch fetch : joined(fetches, each)) {
        line.append(fetch.host()).append(',').append(fetch.start()).append(',');
        line.append(fetch.end() - fetch.start()).append(',').append(fetch.bytes()).append(';');
      }
    }
    return line.toString();
  }

  /** Joins the fetches of a host across all but the longest pauses. */
  private static List<Fetch> joined(List<Fetch> fetches, int most) {
    List<Fetch> byStart = new ArrayList<>(fetches);
    byStart.sort(Comparator.comparingLong(Fetch::start));
    List<Fetch> apart = new ArrayList<>();
    for (Fetch fetch : byStart) {
      int last = apart.size() - 1;
      if (last >= 0 && fetch.start() <= apart.get(last).end()) {
        apart.set(last, apart.get(last).and(fetch));
      } else {
        apart.add(fetch);
      }
    }
    long shortest = shortestPauseToKeep(apart, most);
    List<Fetch> joined = new ArrayList<>(apart.subList(0, 1));
    for (Fetch fetch : apart.subList(1, apart.size())) {
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

  private static long shortestPauseToKeep(List<Fetch> apart, int most) {
    if (apart.size() <= most) {
      return 0;
    }
    List<Long> pauses = new ArrayList<>();
    for (int i = 1; i < apart.size(); i++) {
      pauses.add(apart.get(i).start() - apart.get(i - 1).end());
    }
    pauses.sort(Comparator.reverseOrder());
    return most == 1 ? Long.MAX_VALUE : pauses.get(most - 2);
  }

  /** Whether a line is meant to be one of these. */
  public static boolean isEncoded(String line) {
    return line != null && line.startsWith(PREFIX);
  }

  /**
   * The fetches in a line; it comes from another process, and may hold anything.
   *
   * @param from no fetch can have begun before, milliseconds since the epoch
   * @param to nor ended after
   * @return empty if the line holds anything but fetches in that time
   */
  public static Optional<List<Fetch>> decode(String line, long from, long to) {
    if (!isEncoded(line) || line.length() > MOST_CHARACTERS) {
      return Optional.empty();
    }
    List<Fetch> fetches = new ArrayList<>();
    for (String entry : line.substring(PREFIX.length()).split(";")) {
      Optional<Fetch> fetch = entry.isEmpty() ? Optional.empty() : decode(entry);
      boolean sound = fetch.isPresent() && fetch.get().start() >= from && fetch.get().end() <= to;
      if (!entry.isEmpty() && !sound) {
        return Optional.empty();
      }
      fetch.ifPresent(fetches::add);
    }
    return Optional.of(fetches);
  }

  private static Optional<Fetch> decode(String entry) {
    String[] parts = entry.split(",", -1);
    try {
      long start = Long.parseLong(parts[1]);
      long millis = Long.parseLong(parts[2]);
      long bytes = Long.parseLong(parts[3]);
      boolean sound = parts.length == 4 && start >= 0 && bytes >= 0 && millis >= 0;
      return sound
          ? Optional.of(new Fetch(parts[0], start, Math.addExact(start, millis), bytes))
          : Optional.empty();
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException | ArithmeticException e) {
      return Optional.empty();
    }
  }
}
