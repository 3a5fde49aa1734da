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
 * @param maxCopies attempts of one task that may run at once, at least 1; 3, Mantri section 5.1.1,
 *     footnote 6; with 1 no copy is made
 * @param correlatedStallWindows for so many lengths of the moving average those that have stopped
 *     are left alone while their phase stands still as a whole, at least 0; 2, and with 0 Mantri's
 *     rules, which know no such thing. Long enough for a NameNode to fail over with Delta = 3 s (36
 *     s), and short enough that the tasks of a rack that died need not wait until its nodes are
 *     given up (10 minutes)
 * @param slowerAttempt k of {@link SlowerAttemptRule}, at least 1; 1, and infinite with Mantri's
 *     rules
 */
public record RestartSettings(
    double delta,
    double rho,
    int maxRestarts,
    int maxCopies,
    int correlatedStallWindows,
    double slowerAttempt) {
  /** The paper's values. */
  public static final RestartSettings MANTRI =
      new RestartSettings(0.25, 3, 3, 3, 0, Double.POSITIVE_INFINITY);

  /** What is used where nobody says otherwise. */
  public static final RestartSettings DEFAULT = new RestartSettings(0.25, 3, 3, 3, 2, 1);

  /** Checks the ranges above. */
  public RestartSettings {
    if (!(delta >= 0 && delta < 1)) {
      throw new IllegalArgumentException("delta must lie in [0,1), was " + delta);
    }
    if (!(rho >= 0) || maxRestarts < 0 || maxCopies < 1 || correlatedStallWindows < 0) {
      throw new IllegalArgumentException(
          "rho, maxRestarts and correlatedStallWindows must be at least 0 and maxCopies at least 1");
    }
    if (!(slowerAttempt >= 1)) {
      throw new IllegalArgumentException("slowerAttempt must be at least 1, was " + slowerAttempt);
    }
  }

  /**
   * The same constants within what a job allows.
   *
   * @param copies attempts of a task that may run at once, at least 1
   * @param restarts how often a task may be restarted, at least 0
   */
  public RestartSettings within(int copies, int restarts) {
    return new RestartSettings(delta, rho, restarts, copies, correlatedStallWindows, slowerAttempt);
  }
}
