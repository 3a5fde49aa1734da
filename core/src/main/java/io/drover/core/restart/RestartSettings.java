// SPDX-License-Identifier: Apache-2.0
package io.drover.core.restart;

/**
 * The constants of the restart rules.
 *
 * @param delta while tasks wait, a copy is made if the probability that it saves slot time exceeds
 *     this, in [0,1); 0.25, Mantri section 5.1.1
 * @param rho when no task waits, a copy is made if it is expected to save more than this many
 *     periods Delta, at least 0; 3, Mantri section 5.1.1
 * @param maxRestarts gamma, how often a task may be killed and restarted, at least 0; 3, Mantri
 *     section 5.1.1
 * @param maxCopies attempts of one task that may run at once, at least 1; 3, Mantri section 5.1.1,
 *     footnote 6; with 1 no copy is made
 * @param correlatedStallWindows while a phase stands still as a whole, stopped attempts are left
 *     alone for this many lengths of the moving average, at least 0; 2, and 0 in Mantri's rules,
 *     which have no such case. With Delta = 3 s this is long enough for a NameNode to fail over (36
 *     s). It is short enough that tasks of a dead rack need not wait until its nodes are declared
 *     lost (10 minutes)
 * @param moreToDo how likely a slow task has more to do than its size says, without any evidence,
 *     in [0,1); 0.25, Mantri section 4.1, and 0 in Mantri's rules, which do not ask
 * @param slowerAttempt k of {@link SlowerAttemptRule}, at least 1; 1, and infinite in Mantri's
 *     rules
 * @param leastRunSeconds an attempt that has run for less is neither copied nor killed to start
 *     again, at least 0; 0, as in Mantri's rules, since t_rem and t_new already say whether a short
 *     task is worth it
 */
public record RestartSettings(
    double delta,
    double rho,
    int maxRestarts,
    int maxCopies,
    int correlatedStallWindows,
    double moreToDo,
    double slowerAttempt,
    double leastRunSeconds) {
  /** The paper's values. */
  public static final RestartSettings MANTRI =
      new RestartSettings(0.25, 3, 3, 3, 0, 0, Double.POSITIVE_INFINITY, 0);

  /** The default values. */
  public static final RestartSettings DEFAULT = new RestartSettings(0.25, 3, 3, 3, 2, 0.25, 1, 0);

  /** Checks the ranges above. */
  public RestartSettings {
    if (!(delta >= 0 && delta < 1)) {
      throw new IllegalArgumentException("delta must lie in [0,1), was " + delta);
    }
    if (!(rho >= 0) || maxRestarts < 0 || maxCopies < 1 || correlatedStallWindows < 0) {
      throw new IllegalArgumentException(
          "rho, maxRestarts and correlatedStallWindows must be at least 0 and maxCopies at least 1");
    }
    if (!(moreToDo >= 0 && moreToDo < 1)) {
      throw new IllegalArgumentException("moreToDo must lie in [0,1), was " + moreToDo);
    }
    if (!(slowerAttempt >= 1)) {
      throw new IllegalArgumentException("slowerAttempt must be at least 1, was " + slowerAttempt);
    }
    if (!(leastRunSeconds >= 0)) {
      throw new IllegalArgumentException(
          "leastRunSeconds must be at least 0, was " + leastRunSeconds);
    }
  }

  /**
   * Returns how many copies and restarts a task gets in all: as many as if it were restarted as
   * often as it may be, and then copied as often as may run at once.
   */
  public int mostSecondAttempts() {
    return maxRestarts + maxCopies - 1;
  }

  /** Returns the same constants for a policy that trusts in the sizes of tasks. */
  public RestartSettings withoutMoreToDo() {
    return with(maxCopies, maxRestarts, 0);
  }

  /**
   * Returns the same constants within the limits of a job.
   *
   * @param copies attempts of a task that may run at once, at least 1
   * @param restarts how often a task may be restarted, at least 0
   */
  public RestartSettings within(int copies, int restarts) {
    return with(copies, restarts, moreToDo);
  }

  private RestartSettings with(int copies, int restarts, double more) {
    return new RestartSettings(
        delta, rho, restarts, copies, correlatedStallWindows, more, slowerAttempt, leastRunSeconds);
  }
}
