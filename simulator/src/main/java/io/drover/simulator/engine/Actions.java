// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import java.util.Set;

/** Lets a scheme act on the cluster, and tells it what it must know for that. */
public interface Actions {
  /** Returns the seconds since the beginning of the run. */
  double now();

  /** Returns the number of free slots. */
  int freeSlots();

  /** Returns the total number of slots. */
  int slots();

  /** Returns the current state of links and slots. */
  NetworkEstimate network();

  /**
   * Changes the preferred racks of the tasks of a phase that have not begun.
   *
   * @param racks of each task by its index; ignored for tasks that have begun
   */
  void place(PhaseRun phase, int[] racks);

  /** Requests one more attempt of a running task. */
  void copy(TaskRun task);

  /** Kills an attempt and requests another one of its task. */
  void restart(AttemptRun attempt);

  /** Returns how fast a machine reads from another machine in its rack, bytes per second. */
  double inRackBytesPerSecond();

  /**
   * Copies an output to one more machine of the rack in which it was made.
   *
   * @param avoided machines that must not get the copy
   * @return whether a machine was found
   */
  boolean replicate(TaskRun task, Set<Integer> avoided);

  /** Runs a done task again before any reader misses its output. */
  void precompute(TaskRun task);

  /** Kills an attempt. Its task must have another one. */
  void prune(AttemptRun attempt);

  /** Tells a scheme about the links between racks and the slots in them. */
  interface NetworkEstimate {
    /** Returns the number of racks. */
    int racks();

    /** Returns the total capacity of the link out of a rack, bytes per second. */
    double up(int rack);

    /** Returns the total capacity of the link into a rack, bytes per second. */
    double down(int rack);

    /** Returns the number of flows that now share the link out of a rack. */
    int flowsUp(int rack);

    /** Returns the number of flows that now share the link into a rack. */
    int flowsDown(int rack);

    /** Returns the bytes that those flows still have to carry out of a rack; for oracles only. */
    double bytesUp(int rack);

    /** Returns the bytes that those flows still have to carry into a rack; for oracles only. */
    double bytesDown(int rack);

    /** Returns the number of free slots in a rack. */
    int freeSlots(int rack);

    /** Returns the number of slots in a rack. */
    int slots(int rack);
  }
}
