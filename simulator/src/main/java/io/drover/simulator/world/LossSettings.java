// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.world;

/**
 * How much is lost.
 *
 * @param published whether outputs are lost as Mantri publishes it
 * @param failuresPerDay how often a machine fails in a day, in [0,10]. Mantri's simulator has
 *     "cluster characteristics like machine failures" (section 6.1) without a figure
 * @param evictedShare share of the attempts that are evicted, in [0,0.5]. Mantri's simulator
 *     repeats "fairness based evictions" (section 6.1) without a figure
 */
public record LossSettings(boolean published, double failuresPerDay, double evictedShare) {
  /** Beyond it a long task would hardly ever end. */
  public static final double MOST_FAILURES_PER_DAY = 10;

  /** Beyond it most of the cluster's work would be done in vain. */
  public static final double MOST_EVICTED = 0.5;

  /** Nothing is lost. */
  public static final LossSettings NONE = new LossSettings(false, 0, 0);

  /** Outputs are lost as published; machines and attempts are left alone. */
  public static final LossSettings PUBLISHED = new LossSettings(true, 0, 0);

  /** Checks the ranges above. */
  public LossSettings {
    if (!(failuresPerDay >= 0 && failuresPerDay <= MOST_FAILURES_PER_DAY)) {
      throw new IllegalArgumentException("failuresPerDay must lie in [0,10]: " + failuresPerDay);
    }
    if (!(evictedShare >= 0 && evictedShare <= MOST_EVICTED)) {
      throw new IllegalArgumentException("evictedShare must lie in [0,0.5]: " + evictedShare);
    }
  }

  /** The losses of a run. */
  public Losses with(long seed) {
    return equals(NONE) ? Losses.NONE : new ModelledLosses(this, seed);
  }

  /** As people type it: {@code published,failures=0.1}. */
  @Override
  public String toString() {
    return (published ? "published" : "none")
        + (failuresPerDay > 0 ? ",failures=" + failuresPerDay : "")
        + (evictedShare > 0 ? ",evictions=" + evictedShare : "");
  }
}
