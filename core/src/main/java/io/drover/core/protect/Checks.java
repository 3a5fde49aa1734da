// SPDX-License-Identifier: Apache-2.0
package io.drover.core.protect;

/** The ranges that all of this package asks for. */
final class Checks {
  private Checks() {}

  /** A probability, in [0,1]. */
  static double probability(double p) {
    if (!(p >= 0 && p <= 1)) {
      throw new IllegalArgumentException("a probability lies in [0,1], not " + p);
    }
    return p;
  }

  /** An amount of seconds or bytes, finite and at least 0. */
  static double amount(String name, double amount) {
    if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be finite and at least 0, was " + amount);
    }
    return amount;
  }
}
