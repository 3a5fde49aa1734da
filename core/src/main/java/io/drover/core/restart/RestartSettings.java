// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

/**
 * The constants of the restart rules.
 *
 * @param delta a copy is made while tasks wait when the probability that it saves slot time exceeds
 *     this, in [0,1); 0.25, Mantri section 5.1.1
 * @param rho a copy is made when no task waits if it is expected to save more than this many
 *     periods Delta, at least 0; 3, Mantri section 5.1.1
 * @param maxRestarts gamma, how often a task may be killed and restarted, at least 0; 3, Mantri
 *     section 5.1.1
 * @param maxCopies attempts of one task that may run at once, at least 2; 3, Mantri section 5.1.1,
 *     footnote 6
 */
public record RestartSettings(double delta, double rho, int maxRestarts, int maxCopies) {
  /** The paper's values. */
  public static final RestartSettings MANTRI = new RestartSettings(0.25, 3, 3, 3);

  /** Checks the ranges above. */
  public RestartSettings {
    if (!(delta >= 0 && delta < 1)) {
      throw new IllegalArgumentException("delta must lie in [0,1), was " + delta);
    }
    if (!(rho >= 0) || maxRestarts < 0 || maxCopies < 2) {
      throw new IllegalArgumentException(
          "rho and maxRestarts must be at least 0 and maxCopies at least 2");
    }
  }
}
