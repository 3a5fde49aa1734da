// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import io.drover.core.protect.ProtectSettings.Checks;

/**
 * Grants tokens in proportion to the work that was done, to be spent on protecting it: at all times
 * {@code spent <= share * worked}. Source: Mantri section 5.3.
 */
final class TokenBudget {
  /** What sums of fractions of seconds may be off by, as a share of all tokens ever granted. */
  private static final double ROUNDING = 1e-9;

  private final double share;
  private double worked;
  private double spent;

  TokenBudget(double share) {
    this.share = Checks.probability(share);
  }

  void grant(double work) {
    worked += Checks.amount("work", work);
  }

  /** Spends tokens if there are as many; if not, nothing happens. */
  boolean take(double tokens) {
    double after = spent + Checks.amount("tokens", tokens);
    if (after > share * worked) {
      return false;
    }
    spent = after;
    return true;
  }

  /** Takes back what was not spent after all; more than was spent only by errors of rounding. */
  void giveBack(double tokens) {
    if (Checks.amount("tokens", tokens) - spent > ROUNDING * share * worked) {
      throw new IllegalArgumentException(tokens + " tokens were never taken, but " + spent);
    }
    spent = Math.max(0, spent - tokens);
  }

  double worked() {
    return worked;
  }

  double spent() {
    return spent;
  }

  double left() {
    return share * worked - spent;
  }
}
