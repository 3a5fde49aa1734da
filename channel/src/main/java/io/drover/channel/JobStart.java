// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * A description of the job that an AppMaster runs.
 *
 * @param maps its map tasks, 0 to {@value #MAX_TASKS}
 * @param reduces its reduce tasks, 0 to {@value #MAX_TASKS}
 * @param inputs the sizes of the maps' inputs; empty if they have none that are known
 * @param partitions the sizes of the reduces' inputs; empty as long as they are not known
 * @param clones whether it starts its tasks with clones where it is given room
 * @param program which program it is, the same for all its jobs; empty if that is not known
 * @param singleAttempts whether its tasks have shown that they cannot bear two attempts
 */
public record JobStart(
    int maps,
    int reduces,
    Optional<SizeSummary> inputs,
    Optional<SizeSummary> partitions,
    boolean clones,
    Optional<String> program,
    boolean singleAttempts) {
  /** Tasks of a kind at most. */
  public static final int MAX_TASKS = 10_000_000;

  /** Checks the ranges. */
  public JobStart {
    Validation.within("maps", maps, 0, MAX_TASKS);
    Validation.within("reduces", reduces, 0, MAX_TASKS);
    Objects.requireNonNull(inputs);
    Objects.requireNonNull(partitions);
    program.ifPresent(name -> Validation.text("program", name));
  }

  /** A job of a program that is not known. */
  public JobStart(
      int maps,
      int reduces,
      Optional<SizeSummary> inputs,
      Optional<SizeSummary> partitions,
      boolean clones) {
    this(maps, reduces, inputs, partitions, clones, Optional.empty(), false);
  }

  /** The same, when the sizes of the reduces' inputs are known. */
  public JobStart withPartitions(SizeSummary sizes) {
    return new JobStart(maps, reduces, inputs, Optional.of(sizes), clones, program, singleAttempts);
  }

  /** The same, when its tasks have shown that they cannot bear two attempts. */
  public JobStart ofSingleAttempts() {
    return new JobStart(maps, reduces, inputs, partitions, clones, program, true);
  }

  /**
   * The sizes of a phase's inputs, in bytes, in four numbers.
   *
   * @param total of all tasks, at least 0
   * @param smallest of one task, at least 0
   * @param median of one task (the upper one of two), at least the smallest
   * @param largest of one task, at least the median and at most the total
   */
  public record SizeSummary(long total, long smallest, long median, long largest) {
    /** Checks the order. */
    public SizeSummary {
      Validation.within("smallest", smallest, 0, Long.MAX_VALUE);
      Validation.within("median", median, smallest, Long.MAX_VALUE);
      Validation.within("largest", largest, median, Long.MAX_VALUE);
      Validation.within("total", total, largest, Long.MAX_VALUE);
    }

    /**
     * The summary of some sizes.
     *
     * @param sizes in bytes, in any order; of none the summary is all zeros
     * @throws IllegalArgumentException if one is negative
     */
    public static SizeSummary of(long... sizes) {
      if (sizes.length == 0) {
        return new SizeSummary(0, 0, 0, 0);
      }
      long[] sorted = sizes.clone();
      Arrays.sort(sorted);
      long total = 0;
      for (long size : sorted) {
        long sum = total + size;
        total =
            sum < total && size > 0 ? Long.MAX_VALUE : sum; // nobody has that much, but may say so
      }
      return new SizeSummary(
          total, sorted[0], sorted[sorted.length / 2], sorted[sorted.length - 1]);
    }
  }
}
