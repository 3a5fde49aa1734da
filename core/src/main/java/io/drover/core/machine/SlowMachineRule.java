// SPDX-License-Identifier: Apache-2.0
package io.drover.core.machine;

/**
 * Decides which machines second attempts avoid, as long as their patience lasts:
 *
 * <pre>
 *   p_m &gt;= max(least, factor * p)
 * </pre>
 *
 * <p>The papers rank machines by p_m (Dolly pseudocode 1) and leave open from where on one is not
 * worth having. A copy is made because an outlier is feared; the chance that it becomes one itself
 * is p on any machine and p_m on this one. Waiting for another machine costs a scheduling round or
 * two, so the difference has to be one that shows: by the factor, and by enough to matter.
 *
 * @param factor above 1
 * @param least in (0,1]
 */
public record SlowMachineRule(double factor, double least) {
  /** Twice p, which is how Dolly tells an outlier from the rest (footnote 4), and one in ten. */
  public static final SlowMachineRule DEFAULT = new SlowMachineRule(2, 0.1);

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
   * Whether copies keep away from a machine.
   *
   * @param machine p_m, in [0,1]
   * @param cluster p, in [0,1]
   */
  public boolean isSlow(double machine, double cluster) {
    return machine >= Math.max(least, factor * cluster);
  }
}
