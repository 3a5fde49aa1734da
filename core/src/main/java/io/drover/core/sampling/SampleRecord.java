// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The K of N blocks that a job's result is made of. It is kept with the job for error estimates,
 * and so that repeated work reads the same sample.
 *
 * <p>Source: KMN section 5.1 (the K partitions are part of a job's lineage). It accepts only a
 * result of exactly these K blocks.
 *
 * @param needed K, at least 1
 * @param total N, at least K
 * @param sample index of the sample that the blocks are from, at least 0
 * @param used the K blocks, ascending, each in [0,N)
 */
public record SampleRecord(int needed, int total, int sample, List<Integer> used) {
  private static final Pattern TEXT =
      Pattern.compile("(\\d{1,9}) of (\\d{1,9}), sample (\\d{1,9}): (.+)");
  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

  /** Checks the ranges above. */
  public SampleRecord {
    used = List.copyOf(used);
    check(needed >= 1, "K must be at least 1, was %d", needed);
    check(sample >= 0, "a sample index must be at least 0, was %d", sample);
    check(used.size() == needed, "%d blocks are used, but K is %d", used.size(), needed);
    int last = -1;
    for (int block : used) {
      check(block > last, "blocks must ascend, but %d follows %d", block, last);
      check(block < total, "block %d is out of range, N = %d", block, total);
      last = block;
    }
  }

  private static void check(boolean good, String problem, Object... values) {
    if (!good) {
      throw new IllegalArgumentException(String.format(Locale.ROOT, problem, values));
    }
  }

  /** Returns whether a block is one of the K. */
  public boolean contains(int block) {
    return Collections.binarySearch(used, block) >= 0;
  }

  /**
   * Accepts the blocks that a result was computed from, or tells what is wrong with them.
   *
   * @param read the blocks whose outputs went into the result, in any order
   * @throws IllegalStateException unless these are exactly the K of the record, each once
   */
  public void verify(Collection<Integer> read) {
    Set<Integer> missing = new TreeSet<>(used);
    Set<Integer> foreign = new TreeSet<>();
    Set<Integer> twice = new TreeSet<>();
    for (int block : read) {
      if (!contains(block)) {
        foreign.add(block);
      } else if (!missing.remove(block)) {
        twice.add(block);
      }
    }
    List<String> wrong = new ArrayList<>();
    name(wrong, "missing", missing);
    name(wrong, "not of the sample", foreign);
    name(wrong, "read twice", twice);
    if (!wrong.isEmpty()) {
      throw new IllegalStateException(
          "a result of " + needed + " of " + total + " blocks is wrong: " + wrong);
    }
  }

  private static void name(List<String> wrong, String what, Collection<Integer> blocks) {
    if (!blocks.isEmpty()) {
      wrong.add(what + " " + ranges(blocks));
    }
  }

  /** Returns text such as {@code 5 of 100, sample 0: 3-5,17,98}, which {@link #parse} reads. */
  public String toText() {
    return String.format(
        Locale.ROOT, "%d of %d, sample %d: %s", needed, total, sample, ranges(used));
  }

  private static String ranges(Collection<Integer> blocks) {
    BitSet set = new BitSet();
    blocks.stream().filter(block -> block >= 0).forEach(set::set);
    List<String> ranges = new ArrayList<>();
    for (int from = set.nextSetBit(0); from >= 0; ) {
      int last = set.nextClearBit(from) - 1;
      ranges.add(from == last ? Integer.toString(from) : from + "-" + last);
      from = set.nextSetBit(last + 1);
    }
    return String.join(",", ranges);
  }

  /**
   * Reads the text of {@link #toText}.
   *
   * @throws IllegalArgumentException if the text has another form, or the record is not valid
   */
  public static SampleRecord parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    check(matcher.matches(), "not a record of a sample: %s", text);
    int needed = Integer.parseInt(matcher.group(1));
    List<Integer> used = new ArrayList<>();
    for (String part : matcher.group(4).split(",", -1)) {
      Matcher range = RANGE.matcher(part);
      check(range.matches(), "not a range of blocks: %s", part);
      int from = Integer.parseInt(range.group(1));
      int last = range.group(2) == null ? from : Integer.parseInt(range.group(2));
      check(last - from < needed, "a range is too long: %s", part);
      for (int block = from; block <= last; block++) {
        used.add(block);
      }
    }
    return new SampleRecord(
        needed, Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)), used);
  }
}
