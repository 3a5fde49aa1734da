// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

import io.drover.core.protect.ProtectSettings.Checks;

/**
 * Grants tokens in proportion to completed work. The tokens are spent on protecting that work. At
 * all times {@code spent <= share * worked}. Source: Mantri section 5.3.
 */
final class TokenBudget {
  /** Tolerance for rounding errors in sums of seconds, as a share of all tokens ever granted. */
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

  /** Spends tokens if there are enough; otherwise it does nothing. */
  boolean take(double tokens) {
    double after = spent + Checks.amount("tokens", tokens);
    if (after > share * worked) {
      return false;
    }
    spent = after;
    return true;
  }

  /** Takes back tokens; they may exceed the spent ones only by rounding errors. */
  void giveBack(double tokens) {
    if (Checks.amount("tokens", tokens) - spent > ROUNDING * share * worked) {
      throw new IllegalArgumentException(tokens + " tokens exceed the tokens taken, " + spent);
    }
    spent = Math.max(0, spent - tokens);
  }

  double left() {
    return share * worked - spent;
  }
}
