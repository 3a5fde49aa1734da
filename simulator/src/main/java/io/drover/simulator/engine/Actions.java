// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

import java.util.Set;

/** What a scheme can do, and must know of the cluster to do it. */
public interface Actions {
  /** Seconds since the beginning. */
  double now();

  /** Slots that stand idle. */
  int freeSlots();

  /** Slots in all. */
  int slots();

  /** The links and slots as they are now. */
  NetworkEstimate network();

  /**
   * Changes in which racks the tasks of a phase should run that have not begun.
   *
   * @param racks of each task by its index; of those that have begun they change nothing
   */
  void place(PhaseRun phase, int[] racks);

  /** Asks for one more attempt of a task that runs. */
  void copy(TaskRun task);

  /** Kills an attempt and asks for another of its task. */
  void restart(AttemptRun attempt);

  /** What a machine reads from another one of its rack, bytes per second. */
  double inRackBytesPerSecond();

  /**
   * Copies a kept output to one more machine of its rack.
   *
   * @param avoided machines that are not to keep it
   * @return whether there is such a machine
   */
  boolean replicate(TaskRun task, Set<Integer> avoided);

  /** Runs a task again whose output is kept and unread, before anybody misses it. */
  void precompute(TaskRun task);

  /** Kills an attempt; another of its task must be there. */
  void prune(AttemptRun attempt);

  /** What a scheme may know of the links between racks and of the slots in them. */
  interface NetworkEstimate {
    /** How many racks. */
    int racks();

    /** What a rack's link carries out of it, bytes per second, in all. */
    double up(int rack);

    /** What a rack's link carries into it, bytes per second, in all. */
    double down(int rack);

    /** Flows that share a rack's link out of it now. */
    int flowsUp(int rack);

    /** Flows that share a rack's link into it now. */
    int flowsDown(int rack);

    /** What those flows have still to bring out of a rack, bytes: for oracles. */
    double bytesUp(int rack);

    /** What those flows have still to bring into a rack, bytes: for oracles. */
    double bytesDown(int rack);

    /** Slots of a rack that stand idle now. */
    int freeSlots(int rack);

    /** Slots of a rack. */
    int slots(int rack);
  }
}
