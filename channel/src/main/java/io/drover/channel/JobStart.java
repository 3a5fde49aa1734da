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
 */
public record JobStart(
    int maps,
    int reduces,
    Optional<SizeSummary> inputs,
    Optional<SizeSummary> partitions,
    boolean clones) {
  /** Tasks of a kind at most. */
  public static final int MAX_TASKS = 10_000_000;

  /** Checks the ranges. */
  public JobStart {
    Door.within("maps", maps, 0, MAX_TASKS);
    Door.within("reduces", reduces, 0, MAX_TASKS);
    Objects.requireNonNull(inputs);
    Objects.requireNonNull(partitions);
  }
}
