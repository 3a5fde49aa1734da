// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.sampling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What the next attempt of the AppMaster has to know of a job's sample.
 *
 * @param version grows with every change
 * @param late whether maps take their blocks when their containers come; if not, {@code blockOf}
 *     says from the beginning which block each map reads
 * @param total N
 * @param needed K
 * @param samples candidate samples, as indices of blocks; empty if any K blocks will do
 * @param sample index of the candidate that the blocks are from; empty while none is chosen
 * @param blockOf the block of each of the M maps, {@link #NONE} for none
 * @param reads the block that each attempt reads or has read; attempts that ended without success
 *     are left out
 * @param failed the maps with an attempt that has failed by itself on their block, ascending
 * @param chosen the maps that the result is made of, ascending; at most K
 */
record SampleState(
    long version,
    boolean late,
    int total,
    int needed,
    List<List<Integer>> samples,
    OptionalInt sample,
    List<Integer> blockOf,
    Map<MapAttempt, Integer> reads,
    List<Integer> failed,
    List<Integer> chosen) {
  /** No block. */
  static final int NONE = -1;

  private static final int FORMAT = 1;

  /** An attempt of a map. */
  record MapAttempt(int map, int attempt) {}

  /** Checks that the parts fit together. */
  SampleState {
    samples = samples.stream().map(List::copyOf).toList();
    blockOf = List.copyOf(blockOf);
    reads = Collections.unmodifiableMap(new LinkedHashMap<>(reads));
    failed = List.copyOf(failed);
    chosen = List.copyOf(chosen);
    check(needed >= 1 && needed <= total, "K is %d, N is %d", needed, total);
    check(blockOf.size() >= needed, "there are %d maps, K is %d", blockOf.size(), needed);
    check(chosen.size() <= needed, "%d maps are chosen, K is %d", chosen.size(), needed);
    Set<Integer> seen = new HashSet<>();
    for (int block : blockOf) {
      check(block >= NONE && block < total, "block %d is out of range, N is %d", block, total);
      check(block == NONE || seen.add(block), "block %d has two maps", block);
    }
    checkMaps(chosen, blockOf.size());
    for (int map : chosen) {
      check(blockOf.get(map) != NONE, "map %d is chosen without a block", map);
    }
    checkMaps(failed, blockOf.size());
    checkMaps(reads.keySet().stream().map(MapAttempt::map).toList(), blockOf.size());
    for (int block : reads.values()) {
      check(block >= 0 && block < total, "block %d is out of range, N is %d", block, total);
    }
  }

  private static void checkMaps(List<Integer> numbers, int maps) {
    for (int map : numbers) {
      check(map >= 0 && map < maps, "map %d is out of range", map);
    }
  }

  private static void check(boolean good, String problem, Object... values) {
    if (!good) {
      throw new IllegalArgumentException(String.format(Locale.ROOT, problem, values));
    }
  }

  /** Creates the state of a job whose maps have no blocks yet. */
  static SampleState unbound(int total, int needed, int maps, List<List<Integer>> samples) {
    return new SampleState(
        0,
        true,
        total,
        needed,
        samples,
        OptionalInt.empty(),
        Collections.nCopies(maps, NONE),
        Map.of(),
        List.of(),
        List.of());
  }

  /** Creates the state of a job whose maps have their blocks from the beginning. */
  static SampleState drawn(int total, List<Integer> blocks) {
    List<Integer> ascending = blocks.stream().sorted().toList();
    return new SampleState(
        0,
        false,
        total,
        ascending.size(),
        List.of(),
        OptionalInt.of(0),
        ascending,
        Map.of(),
        List.of(),
        List.of());
  }

  /** Returns M. */
  int maps() {
    return blockOf.size();
  }

  byte[] toJson() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode json = mapper.createObjectNode();
    json.put("format", FORMAT).put("version", version).put("late", late);
    json.put("total", total).put("needed", needed);
    ArrayNode lists = json.putArray("samples");
    samples.forEach(list -> add(lists.addArray(), list));
    sample.ifPresent(s -> json.put("sample", s));
    add(json.putArray("blockOf"), blockOf);
    ArrayNode attempts = json.putArray("reads");
    reads.forEach(
        (of, block) -> attempts.addArray().add(of.map()).add(of.attempt()).add((int) block));
    add(json.putArray("failed"), failed);
    add(json.putArray("chosen"), chosen);
    return mapper.writeValueAsBytes(json);
  }

  private static void add(ArrayNode to, List<Integer> numbers) {
    numbers.forEach(to::add);
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws IOException if the text is something else or contradicts itself
   */
  static SampleState parse(byte[] json) throws IOException {
    JsonNode node = new ObjectMapper().readTree(json);
    if (node == null || node.path("format").asInt() != FORMAT) {
      throw new IOException("this is not the state of a sample in format " + FORMAT);
    }
    List<List<Integer>> samples = new ArrayList<>();
    node.path("samples").forEach(list -> samples.add(ints(list)));
    Map<MapAttempt, Integer> reads = new LinkedHashMap<>();
    node.path("reads")
        .forEach(
            read ->
                reads.put(
                    new MapAttempt(read.path(0).asInt(NONE), read.path(1).asInt()),
                    read.path(2).asInt(NONE)));
    try {
      return new SampleState(
          node.path("version").asLong(),
          node.path("late").asBoolean(),
          node.path("total").asInt(),
          node.path("needed").asInt(),
          samples,
          node.has("sample") ? OptionalInt.of(node.path("sample").asInt()) : OptionalInt.empty(),
          ints(node.path("blockOf")),
          reads,
          ints(node.path("failed")),
          ints(node.path("chosen")));
    } catch (IllegalArgumentException e) {
      throw new IOException("the state of the sample is damaged: " + e.getMessage(), e);
    }
  }

  private static List<Integer> ints(JsonNode array) {
    List<Integer> numbers = new ArrayList<>();
    array.forEach(number -> numbers.add(number.asInt(NONE)));
    return numbers;
  }
}
