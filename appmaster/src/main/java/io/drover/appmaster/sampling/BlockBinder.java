// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import static io.drover.appmaster.sampling.SampleState.NONE;

import io.drover.appmaster.sampling.SampleState.MapAttempt;
import io.drover.core.sampling.BlockChoice;
import io.drover.core.sampling.BlockChoice.Ending;
import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.core.sampling.OfferAnswer;
import io.drover.core.sampling.OfferAnswer.Binding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Binds the maps of one job to blocks of its input. Maps are numbered from 0 to M - 1, blocks from
 * 0 to N - 1.
 *
 * <p>A map has no block until its first attempt gets a container. From then on it keeps its block,
 * with two exceptions:
 *
 * <ul>
 *   <li>Its attempts were killed, and a further attempt gets a container on a node without the
 *       block. It takes an unused block of that node, if there is one.
 *   <li>An attempt that runs beside another one of its map takes a second block in the same way.
 *       The attempt that succeeds first decides which of the two blocks the map has read.
 * </ul>
 *
 * <p>Neither applies once the map is chosen, because its output may have been used. Neither applies
 * after an attempt has failed by itself, because blocks on which the program fails must not be left
 * out of the sample.
 *
 * <p>Safe for several threads. No method waits.
 */
final class BlockBinder {
  private final BlockChoice choice;
  private final int[] blockOf;
  private final BitSet failed = new BitSet();
  private final BitSet dropped = new BitSet();
  private final BitSet chosen = new BitSet();

  /** The attempt that each successful map owes its output to; in the order of success. */
  private final Map<Integer, Integer> succeeded = new LinkedHashMap<>();

  private final Map<MapAttempt, Binding> reserved = new HashMap<>();
  private final Set<MapAttempt> ended = new HashSet<>();

  /** The block that each attempt reads or has read, by map and attempt number. */
  private final Map<Integer, Map<Integer, Integer>> reads = new LinkedHashMap<>();

  private final List<List<Integer>> samples;
  private long version;

  /**
   * Creates a binder.
   *
   * @param choice decides about blocks; nobody else may use it
   * @param state the first state, or the last one of the AppMaster before
   */
  BlockBinder(BlockChoice choice, SampleState state) {
    this.choice = choice;
    this.blockOf = state.blockOf().stream().mapToInt(Integer::intValue).toArray();
    this.samples = state.samples();
    this.version = state.version();
  }

  /**
   * Continues with what an earlier AppMaster has decided.
   *
   * @param recovered the attempts that made the outputs which are still there, at most one of a map
   */
  synchronized void restore(SampleState state, Set<MapAttempt> recovered) {
    Set<Integer> bound = new LinkedHashSet<>();
    for (MapAttempt attempt : recovered) {
      Integer block = state.reads().get(attempt);
      boolean isItsOwn = block != null && block == blockOf[attempt.map()];
      boolean mayBe = isItsOwn || !state.chosen().contains(attempt.map());
      if (block != null && mayBe && bound.add(block)) {
        blockOf[attempt.map()] = block;
        reads(attempt, block);
      }
    }
    BitSet done = new BitSet();
    reads.keySet().forEach(done::set);
    for (int map = 0; map < blockOf.length; map++) {
      if (blockOf[map] != NONE && !done.get(map) && !bound.add(blockOf[map])) {
        blockOf[map] = NONE; // an attempt of another map has read it
      }
    }
    state.chosen().forEach(chosen::set);
    state.failed().forEach(failed::set);
    state.sample().ifPresent(sample -> choice.restore(sample, bound));
    version++;
  }

  private void reads(MapAttempt attempt, int block) {
    reads.computeIfAbsent(attempt.map(), m -> new LinkedHashMap<>()).put(attempt.attempt(), block);
  }

  private Integer readsNoMore(MapAttempt attempt) {
    Integer block = readBy(attempt);
    reads.computeIfPresent(
        attempt.map(),
        (map, readers) -> {
          readers.remove(attempt.attempt());
          return readers.isEmpty() ? null : readers;
        });
    return block;
  }

  /** Returns the blocks that the attempts of a map read, by the number of the attempt. */
  private Map<Integer, Integer> readersOf(int map) {
    return reads.getOrDefault(map, Map.of());
  }

  /** Returns the block that an attempt reads or has read; null if it has none. */
  private Integer readBy(MapAttempt attempt) {
    return readersOf(attempt.map()).get(attempt.attempt());
  }

  private boolean isRead(int map) {
    return reads.containsKey(map);
  }

  // --- containers

  /** Returns whether a map has no block yet. */
  synchronized boolean isUnbound(int map) {
    return blockOf[map] == NONE && !dropped.get(map);
  }

  /** Returns whether an attempt waits for a container, with which its map gets its first block. */
  synchronized boolean isWaiting(MapAttempt attempt) {
    return isUnbound(attempt.map()) && !ended.contains(attempt);
  }

  /** Returns how many more containers are of use to maps without a block. */
  synchronized int wanted() {
    return isComplete() ? 0 : choice.wanted();
  }

  /** Returns the blocks that maps without one may take. */
  synchronized List<Integer> open() {
    return isComplete() ? List.of() : choice.open();
  }

  /** Returns how many blocks maps without one may take. */
  synchronized int openCount() {
    return isComplete() ? 0 : choice.openCount();
  }

  /**
   * Offers a container to the maps without a block.
   *
   * @param attempt one that {@link #isWaiting}; it gets the block if the answer has one, and must
   *     then get the container
   * @param now seconds
   */
  synchronized OfferAnswer offer(MapAttempt attempt, String host, String rack, double now) {
    if (isComplete() || !isWaiting(attempt)) {
      return new OfferAnswer(OfferAnswer.Reason.ENOUGH_DONE, Optional.empty(), 0, 0);
    }
    OfferAnswer answer = choice.offer(host, rack, now);
    answer.binding().ifPresent(binding -> reserve(attempt, binding));
    return answer;
  }

  private void reserve(MapAttempt attempt, Binding binding) {
    Binding before = reserved.put(attempt, binding);
    if (before != null) {
      choice.released(before.block(), Ending.KILLED);
    }
  }

  /**
   * Returns the block that an attempt is to read. It has its container and starts now.
   *
   * @return empty if no block is left; the attempt must not run then
   */
  synchronized OptionalInt bind(MapAttempt attempt, String host, String rack) {
    Binding offered = reserved.remove(attempt);
    int map = attempt.map();
    boolean isFirst = blockOf[map] == NONE;
    if (offered != null && !isFirst) { // another attempt of the map got its container first
      choice.released(offered.block(), Ending.KILLED);
    }
    if (isFirst) {
      Optional<Binding> taken =
          Optional.ofNullable(offered)
              .or(() -> isComplete() ? Optional.empty() : choice.take(host, rack))
              .or(() -> reservedFor(map));
      if (taken.isEmpty()) {
        return OptionalInt.empty();
      }
      blockOf[map] = taken.get().block();
    }
    int block = isFirst ? blockOf[map] : again(attempt, host);
    reads(attempt, block);
    version++;
    return OptionalInt.of(block);
  }

  /** Takes over the block that another attempt of a map would get with its container. */
  private Optional<Binding> reservedFor(int map) {
    Optional<MapAttempt> other =
        reserved.keySet().stream().filter(attempt -> attempt.map() == map).findFirst();
    return other.map(reserved::remove);
  }

  private int again(MapAttempt attempt, String host) {
    int map = attempt.map();
    int block = blockOf[map];
    if (mustStay(map) || isLocal(block, host)) {
      return block;
    }
    boolean isBeside = isRead(map);
    Optional<Binding> other = isBeside ? choice.takeBeside(host) : choice.exchange(block, host);
    if (!isBeside && other.isPresent()) {
      blockOf[map] = other.get().block();
    }
    return other.map(Binding::block).orElse(block);
  }

  /** Returns whether further attempts of a map read its block, wherever they run. */
  private boolean mustStay(int map) {
    return isComplete() || chosen.get(map) || failed.get(map) || hasSucceeded(map);
  }

  private boolean isLocal(int block, String host) {
    return choice.nearness(block, host, "") == BlockLocality.MACHINE;
  }

  /**
   * Returns the blocks of which a further attempt of a map may take one instead of the map's.
   *
   * @param isBeside whether another attempt of the map is alive; one that has just ended may still
   *     count as a reader here
   */
  synchronized List<Integer> alternatives(int map, boolean isBeside) {
    boolean isNone = blockOf[map] == NONE || mustStay(map) || (isBeside && !choice.canSpare());
    return isNone ? List.of() : choice.open();
  }

  /**
   * Returns how near the block is that a further attempt of a map would read on a host now; empty
   * if the map has none.
   */
  synchronized Optional<BlockLocality> nearness(int map, String host, String rack) {
    if (blockOf[map] == NONE) {
      return Optional.empty();
    }
    boolean mayMove = !mustStay(map) && (!isRead(map) || choice.canSpare());
    return Optional.of(
        mayMove && choice.hasUnused(host)
            ? BlockLocality.MACHINE
            : choice.nearness(blockOf[map], host, rack));
  }

  // --- the ends of attempts

  /**
   * Notes that an attempt has ended without success, or that its output is lost.
   *
   * @param byItself whether it failed, and was not killed
   */
  synchronized void ended(MapAttempt attempt, boolean byItself) {
    ended.add(attempt);
    Binding offered = reserved.remove(attempt);
    if (offered != null) {
      choice.released(offered.block(), Ending.KILLED);
    }
    int map = attempt.map();
    boolean hadSucceeded = succeeded.getOrDefault(map, NONE) == attempt.attempt();
    Integer block = readsNoMore(attempt);
    if (block == null) {
      return;
    }
    version++;
    if (hadSucceeded) {
      succeeded.remove(map);
      choice.undone(block);
    } else if (block != blockOf[map]) {
      if (!isRead(map, block)) { // also after a failure: the block may still be drawn
        choice.released(block, Ending.KILLED);
      }
    } else if (byItself) {
      failed.set(map);
    }
    freeIfDropped(map);
  }

  /** Notes that an attempt fails by itself and ends as if it had been killed. */
  synchronized void failedByItself(MapAttempt attempt) {
    if (countsFor(attempt)) {
      failed.set(attempt.map());
      version++;
    }
  }

  private boolean isRead(int map, int block) {
    return readersOf(map).containsValue(block);
  }

  /**
   * Makes the block of an attempt its map's own, because the attempt is about to commit or has
   * succeeded.
   *
   * @return false if the map has an output of another block, so that the attempt must not count
   */
  synchronized boolean decide(MapAttempt attempt) {
    int map = attempt.map();
    Integer block = readBy(attempt);
    if (block == null || block == blockOf[map]) {
      return block != null;
    }
    if (chosen.get(map) || hasSucceeded(map) || blockOf[map] == NONE) {
      return false;
    }
    int before = blockOf[map];
    choice.swap(before, block);
    blockOf[map] = block;
    if (!isRead(map, before)) {
      choice.released(before, Ending.KILLED);
    }
    version++;
    return true;
  }

  /**
   * Notes that a map has succeeded.
   *
   * @return whether this is news, and the output is of the map's block
   */
  synchronized boolean succeeded(MapAttempt attempt) {
    if (hasSucceeded(attempt.map()) || !decide(attempt)) {
      return false;
    }
    succeeded.put(attempt.map(), attempt.attempt());
    choice.done(blockOf[attempt.map()]);
    version++;
    return true;
  }

  private boolean hasSucceeded(int map) {
    return succeeded.containsKey(map);
  }

  /** Notes that a map will not run again, because nothing needs it. */
  synchronized void dropped(int map) {
    dropped.set(map);
    freeIfDropped(map);
  }

  /** Gives back the block of a map that will not run again, once no attempt of it reads it. */
  private void freeIfDropped(int map) {
    boolean isOver = dropped.get(map) && !chosen.get(map) && !hasSucceeded(map);
    if (isOver && blockOf[map] != NONE && !isRead(map, blockOf[map])) {
      choice.released(blockOf[map], Ending.KILLED);
      blockOf[map] = NONE;
      version++;
    }
  }

  /**
   * Returns the attempts of a map that read another block than the map stands for. They are of no
   * use once the map is chosen, or if its block has made the program fail.
   */
  synchronized List<MapAttempt> strays(int map) {
    if (!chosen.get(map) && !failed.get(map)) {
      return List.of();
    }
    List<MapAttempt> strays = new ArrayList<>();
    readersOf(map)
        .forEach(
            (attempt, block) -> {
              if (block != blockOf[map]) {
                strays.add(new MapAttempt(map, attempt));
              }
            });
    return strays;
  }

  // --- the choice of K maps

  /** Returns how many more maps must succeed until there are K. */
  synchronized int missing() {
    return choice.missing();
  }

  /** Returns the maps that have succeeded, the earliest first. */
  synchronized List<Integer> finished() {
    return new ArrayList<>(succeeded.keySet());
  }

  /** Returns the attempt that a successful map owes its output to. */
  synchronized OptionalInt successOf(int map) {
    return hasSucceeded(map) ? OptionalInt.of(succeeded.get(map)) : OptionalInt.empty();
  }

  /** Returns whether an attempt has read the block that its map stands for. */
  synchronized boolean countsFor(MapAttempt attempt) {
    Integer block = readBy(attempt);
    return block != null && block == blockOf[attempt.map()];
  }

  /**
   * Adds a map with a block to the chosen ones, which the job's result is made of.
   *
   * @return false if K others are chosen, or the map is being killed
   */
  synchronized boolean choose(int map) {
    if (chosen.get(map)) {
      return true;
    }
    boolean isKilled = dropped.get(map) && !hasSucceeded(map);
    if (isComplete() || blockOf[map] == NONE || isKilled) {
      return false;
    }
    chosen.set(map);
    version++;
    return true;
  }

  /**
   * Adds the map of an attempt to the chosen ones, with the block of the attempt.
   *
   * @return false if K others are chosen, or the map with another block
   */
  synchronized boolean choose(MapAttempt attempt) {
    return decide(attempt) && choose(attempt.map());
  }

  /** Returns whether a map is chosen. */
  synchronized boolean isChosen(int map) {
    return chosen.get(map);
  }

  /** Returns the chosen maps, ascending: K of them, or fewer while the choice goes on. */
  synchronized List<Integer> chosen() {
    return chosen.stream().boxed().toList();
  }

  /** Returns whether K maps are chosen. */
  synchronized boolean isComplete() {
    return chosen.cardinality() == choice.needed();
  }

  /** Returns the block of a map, if it has one. */
  synchronized OptionalInt blockOf(int map) {
    return blockOf[map] == NONE ? OptionalInt.empty() : OptionalInt.of(blockOf[map]);
  }

  /** Returns the number of the present state, which grows with every change. */
  synchronized long version() {
    return version;
  }

  private Map<MapAttempt, Integer> allReads() {
    Map<MapAttempt, Integer> all = new LinkedHashMap<>();
    reads.forEach(
        (map, readers) ->
            readers.forEach((attempt, block) -> all.put(new MapAttempt(map, attempt), block)));
    return all;
  }

  /** Returns the present state. */
  synchronized SampleState state() {
    return new SampleState(
        version,
        true,
        choice.total(),
        choice.needed(),
        samples,
        choice.sample(),
        Arrays.stream(blockOf).boxed().toList(),
        allReads(),
        failed.stream().boxed().toList(),
        chosen());
  }
}
