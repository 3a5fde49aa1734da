// SPDX-License-Identifier: Apache-2.0
package io.drover.core.clone;

import io.drover.core.model.TaskKind;

/**
 * The priorities at which containers for clones are asked for. By them a clone's container is known
 * to everybody who sees it; they rank below all that MapReduce asks for (5 to 20). Maps and reduces
 * have one each, since one priority has one size of container.
 */
public final class ClonePriority {
  /** Every priority from here on is a clone's. */
  public static final int FIRST = 100;

  private static final int MAP = 110;
  private static final int REDUCE = 120;

  private ClonePriority() {}

  /** The priority for clones of one kind of task. */
  public static int of(TaskKind kind) {
    return kind == TaskKind.MAP ? MAP : REDUCE;
  }

  /** Whether a container of this priority is a clone's. */
  public static boolean isClone(int priority) {
    return priority >= FIRST;
  }
}
