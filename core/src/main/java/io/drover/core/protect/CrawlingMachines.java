// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Estimates how long readers still need for the outputs on a machine from which they come far more
 * slowly than from others:
 *
 * <pre>
 *   a machine crawls   if readers on enough machines say that it is slow, and more than half of
 *                      those who can tell get less than a quarter of what they got meanwhile from
 *                      others
 *   t_fetch            = sum of the bytes that these readers still need / sum of their rates
 * </pre>
 *
 * <p>A reader compares the machine with the others that it reads from at the same time, so a reader
 * with a slow link of its own does not make its sources crawl. A reader that reads from nobody else
 * cannot tell. Nor can one on a machine that crawls itself: what it reads last comes alone over its
 * narrow link, when all others have sent theirs, and making that again elsewhere would not help it.
 * A reader from which nothing was heard needs nothing, as far as is known, so t_fetch is too short,
 * if anything.
 *
 * <p>Not from a paper. Mantri section 5.3 knows outputs that are lost, and section 5.2 keeps
 * readers away from narrow links, but the outputs may lie behind one already.
 *
 * <p>It is for one thread at a time.
 */
public final class CrawlingMachines {
  /** How much slower than from other machines; below that, re-runs would hardly pay. */
  private static final double MUCH_SLOWER = 4;

  /** A reader that has not reported for longer does not fetch now. */
  private static final double FRESH_SECONDS = 10;

  /** How long a machine counts as slow of which nothing more is heard. A choice of ours. */
  static final double SLOW_SECONDS = 300;

  private final Map<String, Map<Reader, Fetching>> byMachine = new HashMap<>();

  /** When each machine was last found to crawl, seconds. */
  private final Map<String, Double> slowAt = new HashMap<>();

  /**
   * What reads outputs.
   *
   * @param task the task that needs them
   * @param machine where it reads
   */
  public record Reader(String task, String machine) {}

  /**
   * What a reader gets from a machine.
   *
   * @param receivedBytes what it has received from there until now, at least 0
   * @param bytesPerSecond what it receives from there now, at least 0
   * @param usualBytesPerSecond what it received from other machines meanwhile, or else shortly
   *     before; 0 if nothing
   * @param at when it said so, seconds
   */
  public record Fetching(
      double receivedBytes, double bytesPerSecond, double usualBytesPerSecond, double at) {
    private boolean isCrawling() {
      return MUCH_SLOWER * bytesPerSecond < usualBytesPerSecond;
    }

    private boolean canTell() {
      return usualBytesPerSecond > 0;
    }

    private boolean isFresh(double now) {
      return now - at <= FRESH_SECONDS;
    }
  }

  /** Takes in what a reader gets from a machine, in place of what it said before. */
  public void report(String machine, Reader reader, Fetching fetching) {
    byMachine.computeIfAbsent(machine, m -> new HashMap<>()).put(reader, fetching);
  }

  /** Forgets the readers of a task that has all it needs, or has ended. */
  public void ended(String task) {
    byMachine.values().forEach(readers -> readers.keySet().removeIf(r -> r.task.equals(task)));
    byMachine.values().removeIf(Map::isEmpty);
  }

  /** Returns the machines from which readers have lately said that they fetch slowly. */
  public Set<String> machines() {
    return Set.copyOf(byMachine.keySet());
  }

  /**
   * Returns t_fetch of a machine, and forgets what readers have not said again for a while.
   *
   * @param bytesEach how much each reader needs from the machine in all
   * @param fewest on how many machines readers must find it slow, at least; one may have a bad path
   *     of its own
   * @param now seconds
   * @return seconds, may be infinite; empty if the machine does not crawl
   */
  public OptionalDouble fetchSeconds(String machine, double bytesEach, int fewest, double now) {
    List<Map.Entry<Reader, Fetching>> readers = readers(machine, now);
    long canTell = readers.stream().filter(reader -> reader.getValue().canTell()).count();
    long crawling = readers.stream().filter(reader -> reader.getValue().isCrawling()).count();
    boolean isOfMost = 2 * crawling > canTell;
    if (!isOfMost || machinesThatFindItSlow(readers) < fewest) {
      if (canTell > 0 && !isOfMost) {
        slowAt.remove(machine);
      }
      return OptionalDouble.empty();
    }
    slowAt.put(machine, now);
    double left = 0;
    double rate = 0;
    for (Map.Entry<Reader, Fetching> reader : readers) {
      left += Math.max(0, bytesEach - reader.getValue().receivedBytes);
      rate += reader.getValue().bytesPerSecond;
    }
    return OptionalDouble.of(left == 0 ? 0 : left / rate);
  }

  /** Returns what readers on machines that do not crawl themselves have said lately. */
  private List<Map.Entry<Reader, Fetching>> readers(String machine, double now) {
    Map<Reader, Fetching> all = byMachine.getOrDefault(machine, new HashMap<>());
    all.values().removeIf(reader -> !reader.isFresh(now));
    if (all.isEmpty()) {
      byMachine.remove(machine);
    }
    Set<String> slow = slow(now);
    return all.entrySet().stream().filter(one -> !slow.contains(one.getKey().machine)).toList();
  }

  private static long machinesThatFindItSlow(List<Map.Entry<Reader, Fetching>> readers) {
    return readers.stream()
        .filter(reader -> reader.getValue().isCrawling())
        .map(reader -> reader.getKey().machine)
        .distinct()
        .count();
  }

  /**
   * Returns the machines that {@link #fetchSeconds} has found to crawl within {@link
   * #SLOW_SECONDS}, unless readers found otherwise since. Once their outputs are made again nobody
   * reads from them, so nobody can tell when their links are better.
   *
   * @param now seconds
   */
  public Set<String> slow(double now) {
    slowAt.values().removeIf(at -> now - at > SLOW_SECONDS);
    return Set.copyOf(slowAt.keySet());
  }
}
