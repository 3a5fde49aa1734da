// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

/**
 * Describes the time that tasks need in addition to the work on their bytes. All of it is modelled,
 * because no trace records it.
 *
 * @param startSeconds from getting the slot to the first byte, to start a container and its
 *     process; at least 0
 * @param leastWorkSeconds least work of any task, also of one without input, at least 0
 * @param sortShare share of a reduce's work that is merging, in [0,1)
 * @param wrapUpShare share of any task's work that comes after it has read everything, in [0,1)
 */
public record Overheads(
    double startSeconds, double leastWorkSeconds, double sortShare, double wrapUpShare) {

  /** Roughly what attempts of Hadoop's example jobs need on a real cluster. */
  public static final Overheads USUAL = new Overheads(2, 1, 0.1, 0.05);

  /** No overhead: a task takes only the time for its bytes. For comparisons with closed forms. */
  public static final Overheads NONE = new Overheads(0, 0, 0, 0);

  /** Checks the ranges above. */
  public Overheads {
    if (!(startSeconds >= 0 && leastWorkSeconds >= 0)) {
      throw new IllegalArgumentException(
          "startSeconds and leastWorkSeconds must be at least 0, were "
              + startSeconds
              + " and "
              + leastWorkSeconds);
    }
    if (!(sortShare >= 0 && wrapUpShare >= 0 && sortShare + wrapUpShare < 1)) {
      throw new IllegalArgumentException(
          "sortShare, wrapUpShare and their sum must lie in [0,1), were "
              + sortShare
              + " and "
              + wrapUpShare);
    }
  }
}
