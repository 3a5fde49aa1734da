// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.engine;

/** What a scheme may know of the links between racks and of the slots in them. */
public interface NetworkEstimate {
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
