// SPDX-License-Identifier: Apache-2.0
package io.drover.core.clone;

/**
 * Limits the clones of one cluster or partition by its utilisation U. A clone is admitted if {@code
 * U < tau} with it, and clones are killed while {@code U > tau} (Dolly section 3.3; tau is 70 %).
 * The ceiling closes when {@code U > tau} or when clones were killed for ordinary demand. It opens
 * again when {@code U <= tau - hysteresis}. The hysteresis is not in the paper. Without it, clones
 * would be admitted and killed all the time while the utilisation moves around tau.
 *
 * <p>One thread calls {@link #observe}. Any thread may call the other methods.
 */
public final class CloneCeiling {
  /** Tolerance for rounding: as doubles, 0.7 - 0.05 is a little less than 0.65. */
  private static final double ROUNDING = 1e-9;

  private final double tau;
  private final double hysteresis;
  private volatile boolean open = true;

  /**
   * Creates an open ceiling.
   *
   * @param tau the highest utilisation at which clones run, in (0, 1]
   * @param hysteresis how far below tau the ceiling opens again, at least 0; values above tau count
   *     as tau
   */
  public CloneCeiling(double tau, double hysteresis) {
    if (!(tau > 0 && tau <= 1 && hysteresis >= 0)) {
      throw new IllegalArgumentException(
          "tau must lie in (0,1], was " + tau + "; hysteresis at least 0, was " + hysteresis);
    }
    this.tau = tau;
    this.hysteresis = Math.min(hysteresis, tau);
  }

  /**
   * Opens or closes the ceiling according to the current utilisation and demand.
   *
   * @param utilisation in [0, 1]; slightly more if a node has shrunk
   * @param clonesGaveWay whether clones were killed for ordinary demand
   * @return whether clones are admitted from now on
   */
  public boolean observe(double utilisation, boolean clonesGaveWay) {
    if (clonesGaveWay || isAbove(utilisation)) {
      open = false;
    } else if (!open) {
      open = utilisation <= tau - hysteresis + ROUNDING;
    }
    return open;
  }

  /** Returns whether clones must be killed until the utilisation is lower. */
  public boolean isAbove(double utilisation) {
    return utilisation > tau;
  }

  /**
   * Returns whether one more clone may start.
   *
   * @param utilisation the utilisation with that clone
   */
  public boolean admits(double utilisation) {
    return open && utilisation < tau;
  }
}
