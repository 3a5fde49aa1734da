// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.scheme;

import io.drover.simulator.engine.AttemptRun;
import io.drover.simulator.engine.TaskRun;

/** What a scheme can do, and must know of the cluster to do it. */
public interface Actions {
  /** Seconds since the beginning. */
  double now();

  /** Slots that stand idle. */
  int freeSlots();

  /** Slots in all. */
  int slots();

  /** Asks for one more attempt of a task that runs. */
  void copy(TaskRun task);

  /** Kills an attempt and asks for another of its task. */
  void restart(AttemptRun attempt);

  /** Kills an attempt; another of its task must be there. */
  void prune(AttemptRun attempt);
}
