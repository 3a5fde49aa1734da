// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

/**
 * Decides which machines second attempts avoid, for as long as they may wait for another one:
 *
 * <pre>
 *   p_m &gt;= max(least, factor * p)
 * </pre>
 *
 * <p>The papers rank machines by p_m (Dolly pseudocode 1) but do not say which of them to avoid. A
 * copy is made because the first attempt may be an outlier. The probability that the copy becomes
 * one too is p on any machine and p_m on this one. Waiting for another machine costs a scheduling
 * round or two. So p_m must be larger than p by the factor, and large enough to matter.
 *
 * @param factor how many times larger than p the p_m of a slow machine is at least, above 1
 * @param least the smallest p_m of a slow machine, in (0,1]
 */
public record SlowMachineRule(double factor, double least) {
  /** Twice p, which is how Dolly tells an outlier from the rest (footnote 4), and at least 0.1. */
  public static final SlowMachineRule DEFAULT = new SlowMachineRule(2, 0.1);

  /**
   * q, the p_m of a machine that is known to be slow, for example because an operator says so: at
   * least half of the attempts there are outliers ({@link MixtureEstimator}).
   */
  public static final double KNOWN_SLOW = MixtureEstimator.SLOW;

  /**
   * Returns the p_m of a machine that is known to be slow: q, or as much more as it takes for
   * copies to avoid it where outliers are common.
   *
   * @param cluster p, in [0,1/2]
   * @return in [1/2,1] for {@link #DEFAULT}
   */
  public double ofKnownSlow(double cluster) {
    return Math.min(1, Math.max(KNOWN_SLOW, factor * cluster));
  }

  /** Checks the ranges above. */
  public SlowMachineRule {
    if (!(factor > 1 && factor < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("factor must be above 1, was " + factor);
    }
    if (!(least > 0 && least <= 1)) {
      throw new IllegalArgumentException("least must lie in (0,1], was " + least);
    }
  }

  /**
   * Returns whether copies avoid a machine.
   *
   * @param machine p_m, in [0,1]
   * @param cluster p, in [0,1]
   */
  public boolean isSlow(double machine, double cluster) {
    return machine >= Math.max(least, factor * cluster);
  }
}
