// SPDX-License-Identifier: Apache-2.0
package io.drover.core.clone;

/**
 * The ceiling for clones of one cluster or partition: a clone is admitted while {@code U < tau}
 * with it, and killed when {@code U > tau} (Dolly section 3.3, where U is utilisation and tau 70
 * %). Whenever clones had to give way it closes, and opens again when {@code U <= tau -
 * hysteresis}: that distance is not in the paper. Without it a utilisation that moves about tau has
 * clones admitted and killed all the time.
 *
 * <p>One thread observes; any may ask.
 */
public final class CloneCeiling {
  /** 0.7 - 0.05 is a little less than 0.65. */
  private static final double ROUNDING = 1e-9;

  private final double tau;
  private final double hysteresis;
  private volatile boolean open = true;

  /**
   * A ceiling that is open.
   *
   * @param tau utilisation, in (0, 1]
   * @param hysteresis in [0, tau)
   */
  public CloneCeiling(double tau, double hysteresis) {
    if (!(tau > 0 && tau <= 1 && hysteresis >= 0)) {
      throw new IllegalArgumentException("tau " + tau + ", hysteresis " + hysteresis);
    }
    this.tau = tau;
    this.hysteresis = Math.min(hysteresis, tau);
  }

  /**
   * What utilisation and demand are now.
   *
   * @param utilisation in [0, 1]; a little more where a node has shrunk
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

  /** Whether clones must die until utilisation is lower. */
  public boolean isAbove(double utilisation) {
    return utilisation > tau;
  }

  /**
   * Whether one more clone may start.
   *
   * @param utilisation with it
   */
  public boolean admits(double utilisation) {
    return open && utilisation < tau;
  }
}
