// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Estimates how long readers still need for the outputs on a machine from which they come far more
 * slowly than from others:
 *
 * <pre>
 *   a machine crawls   if enough readers say that it is slow, and more than half of those who can
 *                      tell get less than a quarter of what they got meanwhile from others
 *   enough             two tasks, or the only one; on two machines, if tasks read on so many that
 *                      could tell
 *   t_fetch            = sum of the bytes that these readers still need / sum of their rates
 * </pre>
 *
 * <p>A reader compares the machine with the others that it reads from at the same time, so a reader
 * with a slow link of its own does not make its sources crawl. A reader that reads from nobody else
 * cannot tell. Nor can one on the machine itself, where it needs no link, or on another one that
 * crawls: what that one reads last comes alone over its narrow link, when all others have sent
 * theirs, and making that again elsewhere would not help it. A reader from which nothing was heard
 * needs nothing, as far as is known, so t_fetch is too short, if anything.
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
  private final Map<String, Verdict> verdicts = new HashMap<>();

  /** Whether outputs come to a machine that crawls as slowly as from it. */
  private final Map<String, Boolean> slowBothWays = new HashMap<>();

  /**
   * That a machine crawls.
   *
   * @param at when it was found so last, seconds
   * @param by the machines whose readers found it so
   */
  private record Verdict(double at, Set<String> by) {}

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

  /**
   * What each reader needs from a machine, as if all needed as much.
   *
   * @param bytes of the outputs that are there and are not being made again
   * @param bytesEver of all that have been there: what readers have received is of these
   */
  public record Share(double bytes, double bytesEver) {
    private double left(Fetching fetching) {
      return bytesEver == 0 ? 0 : bytes * Math.max(0, 1 - fetching.receivedBytes / bytesEver);
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

  /** Returns whether nobody has said lately that a fetch takes long. */
  public boolean isQuiet() {
    return byMachine.isEmpty();
  }

  /**
   * Returns the machines that crawl with their t_fetch, and forgets what readers have not said
   * again for a while.
   *
   * @param shares returns what each reader needs from a machine
   * @param tasks where each task runs that is not done; empty for one that waits to begin
   * @param now seconds
   * @return seconds, may be infinite, by machine
   */
  public Map<String, Double> fetchSeconds(
      Function<String, Share> shares, Collection<Set<String>> tasks, double now) {
    byMachine.values().forEach(readers -> readers.values().removeIf(one -> !one.isFresh(now)));
    byMachine.values().removeIf(Map::isEmpty);
    Set<String> slow = slow(now);
    Bar bar = Bar.of(tasks);
    Map<String, Double> seconds = new HashMap<>();
    byMachine.forEach(
        (machine, readers) -> {
          Set<String> partial = new HashSet<>(slow);
          partial.add(machine);
          Map<Reader, Fetching> witnesses = without(readers, partial);
          if (isFoundSlow(machine, witnesses, bar.without(partial), now)) {
            seconds.put(machine, seconds(shares.apply(machine), witnesses.values()));
          }
        });
    withdraw();
    seconds.keySet().retainAll(verdicts.keySet());
    findSlowBothWays();
    return seconds;
  }

  private static Map<Reader, Fetching> without(
      Map<Reader, Fetching> readers, Set<String> machines) {
    return readers.entrySet().stream()
        .filter(one -> !machines.contains(one.getKey().machine))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /**
   * How many tasks must find a machine slow, and on how many machines.
   *
   * @param tasks two, or one if there is only one
   * @param machines where they run that are not done
   * @param waiting how many wait to begin
   */
  private record Bar(int tasks, Set<String> machines, long waiting) {
    static Bar of(Collection<Set<String>> tasks) {
      return new Bar(
          tasks.size() < 2 ? 1 : 2,
          tasks.stream().flatMap(Set::stream).collect(Collectors.toUnmodifiableSet()),
          tasks.stream().filter(Set::isEmpty).count());
    }

    Bar without(Set<String> partial) {
      Set<String> impartial = new HashSet<>(machines);
      impartial.removeAll(partial);
      return new Bar(tasks, impartial, waiting);
    }

    boolean isReachedBy(Set<Reader> accusers) {
      long fewest = Math.min(tasks, Math.max(1, machines.size() + waiting));
      return accusers.stream().map(Reader::task).distinct().count() >= tasks
          && accusers.stream().map(Reader::machine).distinct().count() >= fewest;
    }
  }

  private boolean isFoundSlow(
      String machine, Map<Reader, Fetching> witnesses, Bar bar, double now) {
    Set<Reader> accusers =
        witnesses.keySet().stream()
            .filter(reader -> witnesses.get(reader).isCrawling())
            .collect(Collectors.toSet());
    long canTell = witnesses.values().stream().filter(Fetching::canTell).count();
    if (2L * accusers.size() <= canTell || accusers.isEmpty()) {
      if (canTell > 0) {
        verdicts.remove(machine);
      }
      return false;
    }
    if (!verdicts.containsKey(machine) && !bar.isReachedBy(accusers)) {
      return false;
    }
    Set<String> by = accusers.stream().map(Reader::machine).collect(Collectors.toSet());
    verdicts.put(machine, new Verdict(now, by));
    return true;
  }

  private static double seconds(Share share, Collection<Fetching> readers) {
    double left = 0;
    double rate = 0;
    for (Fetching reader : readers) {
      left += share.left(reader);
      rate += reader.bytesPerSecond;
    }
    return left == 0 ? 0 : left / rate;
  }

  /**
   * Takes back what only readers said on machines that turn out to crawl themselves. If machines
   * accuse only each other, nobody can tell which it is.
   */
  private void withdraw() {
    Set<String> slow = Set.copyOf(verdicts.keySet());
    verdicts.values().removeIf(verdict -> slow.containsAll(verdict.by));
  }

  /** Finds machines that crawl whose own readers get far less from all others than is usual. */
  private void findSlowBothWays() {
    if (verdicts.isEmpty()) {
      return;
    }
    double[] usual =
        byMachine.values().stream()
            .flatMap(readers -> without(readers, verdicts.keySet()).values().stream())
            .filter(Fetching::canTell)
            .mapToDouble(Fetching::usualBytesPerSecond)
            .sorted()
            .toArray();
    if (usual.length > 0) {
      slowBothWays.putAll(areSlowReaders(usual[usual.length / 2]));
    }
  }

  /** Returns of those machines that crawl whose readers read from others whether all are slow. */
  private Map<String, Boolean> areSlowReaders(double usual) {
    Map<String, Boolean> slow = new HashMap<>();
    byMachine.forEach(
        (source, readers) ->
            readers.forEach(
                (reader, fetching) -> {
                  double best = Math.max(fetching.bytesPerSecond, fetching.usualBytesPerSecond);
                  if (verdicts.containsKey(reader.machine) && !verdicts.containsKey(source)) {
                    slow.merge(reader.machine, MUCH_SLOWER * best < usual, Boolean::logicalAnd);
                  }
                }));
    return slow;
  }

  /**
   * Returns the machines that {@link #fetchSeconds} has found to crawl within {@link
   * #SLOW_SECONDS}, unless readers found otherwise since or that was taken back. Once their outputs
   * are made again nobody reads from them, so nobody can tell when their links are better.
   *
   * @param now seconds
   */
  public Set<String> slow(double now) {
    verdicts.values().removeIf(verdict -> now - verdict.at > SLOW_SECONDS);
    slowBothWays.keySet().retainAll(verdicts.keySet());
    return Set.copyOf(verdicts.keySet());
  }

  /**
   * Returns those of them on which readers get as little from others, so that a reader elsewhere
   * would be better off. A machine may also be slow only in sending, because of its disks.
   *
   * @param now seconds
   */
  public Set<String> slowBothWays(double now) {
    return slow(now).stream()
        .filter(machine -> slowBothWays.getOrDefault(machine, false))
        .collect(Collectors.toUnmodifiableSet());
  }
}
