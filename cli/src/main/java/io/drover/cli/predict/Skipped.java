// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.predict;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts the rows that make no sense, by what is wrong with them. */
final class Skipped {
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Map<String, String> firsts = new TreeMap<>();

  /**
   * Adds a row.
   *
   * @param why what is wrong, in a few words that are the same for other rows
   * @param place where it is
   */
  void add(String why, String place) {
    counts.merge(why, 1, Integer::sum);
    firsts.putIfAbsent(why, place);
  }

  /** Returns how many rows were skipped. */
  int total() {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Returns the counts by reason. */
  Map<String, Integer> counts() {
    return counts;
  }

  /** Returns the counts as a part of a sentence; empty if there are none. */
  String inWords() {
    return counts.isEmpty()
        ? ""
        : counts.entrySet().stream()
            .map(
                one ->
                    "%d: %s (first at %s)"
                        .formatted(one.getValue(), one.getKey(), firsts.get(one.getKey())))
            .collect(Collectors.joining("; ", "; skipped: ", ""));
  }
}
