// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.util.Objects;
import java.util.Optional;

/**
 * What job an AppMaster runs.
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
}
