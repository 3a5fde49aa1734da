// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import java.util.Locale;

/** How numbers are written. */
final class Figures {
  /** For what is not known. */
  static final String UNKNOWN = "-";

  private Figures() {}

  /** {@code 34.1}; a rounded nothing has no sign. */
  static String points(double share) {
    return String.format(Locale.ROOT, "%.1f", Math.round(share * 1000) / 10.0 + 0.0);
  }

  /** {@code 34.1 %}. */
  static String percent(double share) {
    return points(share) + " %";
  }

  /** {@code 3,000 machines}. */
  static String count(long number, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : many);
  }

  /** To a millionth. */
  static double rounded(double value) {
    return Math.round(value * 1e6) / 1e6 + 0.0;
  }
}
