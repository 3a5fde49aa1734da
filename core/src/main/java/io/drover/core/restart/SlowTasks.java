// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

/**
 * What became of slow tasks that had a second attempt, of which a first one was slow.
 *
 * @param withMore how many had more to do: all of their attempts were slow; finite and at least 0
 * @param likeOthers how many were like others: another attempt was not slow; finite and at least 0
 */
public record SlowTasks(double withMore, double likeOthers) {
  /** Nothing is known. */
  public static final SlowTasks NONE = new SlowTasks(0, 0);

  /** Checks the ranges. */
  public SlowTasks {
    boolean isValid = withMore >= 0 && likeOthers >= 0;
    if (!isValid || !(withMore + likeOthers < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "slow tasks must be finite and at least 0, were " + withMore + " and " + likeOthers);
    }
  }

  /** Returns how many there are. */
  public double all() {
    return withMore + likeOthers;
  }

  /** Returns the sum of both. */
  public SlowTasks plus(SlowTasks other) {
    return new SlowTasks(withMore + other.withMore, likeOthers + other.likeOthers);
  }

  /** Returns the same shares with a lower weight if there are more than {@code most}. */
  public SlowTasks atMost(double most) {
    double share = Math.min(1, most / all());
    return all() == 0 ? this : new SlowTasks(share * withMore, share * likeOthers);
  }
}
