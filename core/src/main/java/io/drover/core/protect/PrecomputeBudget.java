// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

/**
 * Limits the time that a job spends on re-runs before any reader misses an output: in total never
 * more than a share of the seconds that its tasks have run.
 *
 * <p>Source: Mantri section 5.3 ("a budget on the extra cluster cycles used for pre-computation").
 * It does not say how the budget is kept. Here it uses tokens in proportion to the work done, as
 * the budget for replicas does. It is never overdrawn. It belongs to one job and to one thread at a
 * time.
 */
public final class PrecomputeBudget {
  private final TokenBudget tokens;

  /** Creates the budget of a job that has not run yet. */
  public PrecomputeBudget(ProtectSettings settings) {
    tokens = new TokenBudget(settings.extraTimeShare());
  }

  /**
   * Grants tokens for a task that has ended.
   *
   * @param runSeconds how long the task ran, finite and at least 0
   */
  public void grant(double runSeconds) {
    tokens.grant(runSeconds);
  }

  /**
   * Spends tokens on a re-run.
   *
   * @param runSeconds the expected time of the re-run, finite and at least 0
   * @return whether there were enough tokens; if not, none are spent
   */
  public boolean take(double runSeconds) {
    return tokens.take(runSeconds);
  }

  /** Returns the seconds that may still be spent. */
  public double leftSeconds() {
    return tokens.left();
  }
}
