// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

/**
 * The clones of a job.
 *
 * @param live that have a container, 0 to {@value #MAX_CLONES}
 * @param wanted that it would start if it had the room, besides those, 0 to {@value #MAX_CLONES}
 */
public record CloneDemand(int live, int wanted) {
  /** Clones of a job at most. */
  public static final int MAX_CLONES = 1_000_000;

  /** A job without clones. */
  public static final CloneDemand NONE = new CloneDemand(0, 0);

  /** Checks the ranges. */
  public CloneDemand {
    Validation.within("live", live, 0, MAX_CLONES);
    Validation.within("wanted", wanted, 0, MAX_CLONES);
  }
}
