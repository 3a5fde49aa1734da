// SPDX-License-Identifier: Apache-2.0
package io.drover.core.sampling;

/**
 * Computes how many tasks a stage runs if K outputs are needed: {@code M = floor(K * M/K)}, never
 * less than K and never more than there are blocks.
 *
 * <p>Source: KMN sections 4 and 5.3 (the administrator sets M/K), section 5.4 (later stages gain
 * nothing, because their outputs are spread already). The paper does not round. Only rounding down
 * keeps the promise of at most 5 % extra resources (section 1). It also leaves jobs below 20 tasks
 * alone at the default ratio; section 6.2.3 found "almost no improvement from running extra tasks"
 * below 10.
 *
 * <p>A job cannot raise M/K.
 */
public final class ExtraTasks {
  /** Why a stage runs that many tasks. */
  public enum Reason {
    /** The stage runs all tasks that the ratio allows. */
    AS_CONFIGURED,
    /** The administrator has turned extra tasks off: M/K is 1. */
    OFF,
    /** Only the first stage gets extra tasks. */
    LATER_STAGE,
    /** K is so small that one more task would exceed the ratio. */
    FEW_TASKS,
    /** The ratio allows more tasks than there are blocks. */
    NO_MORE_BLOCKS
  }

  /**
   * The number of tasks, with the reason.
   *
   * @param tasks M
   * @param extra M - K
   */
  public record Count(int tasks, int extra, Reason reason) {}

  /** K times M/K is a product of doubles; this close to an integer it counts as that integer. */
  private static final double ROUNDING = 1e-9;

  private final double ratio;

  /** Creates the rule for the M/K of the settings. */
  public ExtraTasks(SamplingSettings settings) {
    this.ratio = settings.extraRatio();
  }

  /**
   * Returns M and the reason for it.
   *
   * @param k outputs that are needed, at least 1
   * @param n blocks that can be read, at least {@code k}
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
