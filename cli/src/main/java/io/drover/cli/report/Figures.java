// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import io.drover.core.text.ForeignText;
import java.time.Duration;
import java.util.Locale;

/** Formats figures for people. */
final class Figures {
  private static final int LONGEST = 160;
  private static final int MINUTE = 60;
  private static final int HOUR = 3600;

  private Figures() {}

  /** Returns a time as 12.3 s, 4:05 or 1:02:03. */
  static String seconds(double seconds) {
    if (Math.round(10 * seconds) < 10 * MINUTE) { // 59.96 is not 60.0 s
      return String.format(Locale.ROOT, "%.1f s", seconds);
    }
    long whole = Math.round(seconds);
    return whole < HOUR
        ? String.format(Locale.ROOT, "%d:%02d", whole / MINUTE, whole % MINUTE)
        : String.format(
            Locale.ROOT, "%d:%02d:%02d", whole / HOUR, whole % HOUR / MINUTE, whole % MINUTE);
  }

  /** Returns a time as 12.3 s, 4:05 or 1:02:03. */
  static String seconds(Duration time) {
    return seconds(time.toMillis() / 1e3);
  }

  /** Returns a factor as "3.4 times". */
  static String times(double factor) {
    return String.format(Locale.ROOT, factor < 10 ? "%.1f times" : "%.0f times", factor);
  }

  /** Returns a share of a whole in percent, such as "63 %". */
  static String percent(double part, double whole) {
    return whole > 0 ? Math.round(100 * part / whole) + " %" : "0 %";
  }

  /** Cuts off a text that is too long for a table. */
  static String shortened(String text) {
    return text.length() <= LONGEST ? text : ForeignText.cut(text, LONGEST) + "…";
  }
}
