// SPDX-License-Identifier: Apache-2.0
package io.drover.core.clone;

import io.drover.core.model.TaskKind;

/**
 * Defines the priorities at which containers for clones are requested, and others that must give
 * way to everything else. Everybody who sees a container can tell by its priority that it is a
 * clone's. These priorities rank below MapReduce's own (5 to 20). Maps and reduces have one each,
 * because a priority has one size of container.
 */
public final class ClonePriority {
  /** The first priority of clones. Every larger number is a clone's priority too. */
  public static final int FIRST = 100;

  /** The priority of workers that make replicas of outputs, which give way as clones do. */
  public static final int REPLICA_WORKER = 130;

  private static final int MAP = 110;
  private static final int REDUCE = 120;

  private ClonePriority() {}

  /** Returns the priority for clones of one kind of task. */
  public static int of(TaskKind kind) {
    return kind == TaskKind.MAP ? MAP : REDUCE;
  }

  /** Returns whether a container of this priority is a clone's. */
  public static boolean isClone(int priority) {
    return priority >= FIRST;
  }
}
