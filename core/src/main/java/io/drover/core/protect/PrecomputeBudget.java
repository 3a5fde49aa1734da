// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

/**
 * Limits the running time that a job spends on re-runs before anybody has missed an output: in all
 * never more than a share of the seconds that its tasks have run.
 *
 * <p>Source: Mantri section 5.3 ("a budget on the extra cluster cycles used for pre-computation"),
 * which does not say how it is kept; here as that of the replicas is, by tokens in proportion to
 * what was done. It is never overdrawn. One job's, one thread at a time.
 */
public final class PrecomputeBudget {
  private final TokenBudget tokens;

  /** A budget of a job that has not run yet. */
  public PrecomputeBudget(ProtectSettings settings) {
    tokens = new TokenBudget(settings.extraTimeShare());
  }

  /**
   * A task has ended that had run so long.
   *
   * @param runSeconds finite and at least 0
   */
  public void grant(double runSeconds) {
    tokens.grant(runSeconds);
  }

  /**
   * Spends tokens on a re-run.
   *
   * @param runSeconds that it is expected to take, finite and at least 0
   * @return whether there were enough; if not, none are spent
   */
  public boolean take(double runSeconds) {
    return tokens.take(runSeconds);
  }

  /**
   * Takes the tokens of a re-run back that was not started after all.
   *
   * @param runSeconds at most what was taken
   */
  public void giveBack(double runSeconds) {
    tokens.giveBack(runSeconds);
  }

  /** Seconds that the job's tasks have run. */
  public double ranSeconds() {
    return tokens.worked();
  }

  /** Seconds for which tokens were spent. */
  public double spentSeconds() {
    return tokens.spent();
  }

  /** Seconds that may still be spent. */
  public double leftSeconds() {
    return tokens.left();
  }
}
