// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

/**
 * What tasks take beside the work on their bytes. All of it is modelled: no trace tells it.
 *
 * @param startSeconds from having the slot to the first byte: a container and its process; at least
 *     0
 * @param leastWorkSeconds what a task without input takes, at least 0
 * @param sortShare share of a reduce's work that is merging, in [0,1)
 * @param wrapUpShare share of any task's work that comes after all is read, in [0,1)
 */
public record Overheads(
    double startSeconds, double leastWorkSeconds, double sortShare, double wrapUpShare) {

  /** About what attempts of Hadoop's examples show on a real cluster. */
  public static final Overheads USUAL = new Overheads(2, 1, 0.1, 0.05);

  /** A task takes what its bytes take: for comparisons with closed forms. */
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
          "sortShare and wrapUpShare must lie in [0,1) together, were "
              + sortShare
              + " and "
              + wrapUpShare);
    }
  }
}
