// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

/**
 * Computes how many tasks a stage runs if K outputs are needed: {@code M = floor(K * M/K)}, never
 * below K and never more than there are blocks.
 *
 * <p>Source: KMN sections 4 and 5.3 (M/K is the administrator's), section 5.4 (later stages gain
 * nothing: their outputs are spread already). The paper does not round. Down is the only rounding
 * that keeps the promise of at most 5 % extra resources (section 1), and leaves jobs below 20 tasks
 * alone at the default ratio: section 6.2.3 found "almost no improvement from running extra tasks"
 * below 10.
 *
 * <p>It never lets a job raise M/K.
 */
public final class ExtraTasks {
  /** Why there are as many tasks as there are. */
  public enum Reason {
    /** All that the ratio allows are run. */
    AS_CONFIGURED,
    /** The administrator wants none: M/K is 1. */
    OFF,
    /** A stage after the first gets none. */
    LATER_STAGE,
    /** K is so small that a whole task more would be above the ratio. */
    FEW_TASKS,
    /** There are not as many blocks as the ratio allows tasks. */
    NO_MORE_BLOCKS
  }

  /**
   * The decision.
   *
   * @param tasks M
   * @param extra M - K
   */
  public record Count(int tasks, int extra, Reason reason) {}

  /** K times M/K is a product of doubles: what is this near to a whole number is one. */
  private static final double ROUNDING = 1e-9;

  private final double ratio;

  /** The rule for the settings' M/K. */
  public ExtraTasks(SamplingSettings settings) {
    this.ratio = settings.extraRatio();
  }

  /**
   * M, and why.
   *
   * @param k outputs that are needed, at least 1
   * @param n blocks that there are to read, at least {@code k}
   * @param firstStage whether the stage reads the job's input
   */
  public Count of(int k, int n, boolean firstStage) {
    if (k < 1 || n < k) {
      throw new IllegalArgumentException("K must be at least 1 and at most " + n + ", was " + k);
    }
    if (!firstStage) {
      return new Count(k, 0, Reason.LATER_STAGE);
    }
    if (ratio == 1) {
      return new Count(k, 0, Reason.OFF);
    }
    double allowed = Math.floor(k * ratio * (1 + ROUNDING));
    if (allowed > n) {
      return new Count(n, n - k, Reason.NO_MORE_BLOCKS);
    }
    int tasks = (int) allowed;
    return new Count(tasks, tasks - k, tasks > k ? Reason.AS_CONFIGURED : Reason.FEW_TASKS);
  }
}
