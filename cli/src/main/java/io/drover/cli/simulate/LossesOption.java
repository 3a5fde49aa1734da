// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Arguments;
import io.drover.simulator.world.LossSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code --losses}: {@code none} or {@code published}, with rates of what else goes wrong. */
final class LossesOption {
  /** The kind in which no output is lost but those of machines that fail. */
  static final String NONE = "none";

  private static final String OPTION = "--losses";
  private static final String PUBLISHED = "published";
  private static final String FAILURES = "failures";
  private static final String EVICTIONS = "evictions";

  private LossesOption() {}

  /** Reads what was typed. */
  static LossSettings read(Arguments arguments, String typed) {
    String[] words = typed.split(",", -1);
    String kind = words[0].strip();
    if (!List.of(NONE, PUBLISHED).contains(kind)) {
      throw arguments.unknown("losses", kind, List.of(NONE, PUBLISHED));
    }
    Map<String, Double> rates = new LinkedHashMap<>();
    for (int i = 1; i < words.length; i++) {
      rate(arguments, words[i].strip(), rates);
    }
    return new LossSettings(
        kind.equals(PUBLISHED),
        rates.getOrDefault(FAILURES, 0.0),
        rates.getOrDefault(EVICTIONS, 0.0));
  }

  private static void rate(Arguments arguments, String word, Map<String, Double> rates) {
    int equals = word.indexOf('=');
    String name = equals < 0 ? word : word.substring(0, equals);
    if (!List.of(FAILURES, EVICTIONS).contains(name)) {
      throw arguments.unknown("losses", name, List.of(FAILURES, EVICTIONS));
    }
    double most =
        name.equals(FAILURES) ? LossSettings.MOST_FAILURES_PER_DAY : LossSettings.MOST_EVICTED;
    String number = equals < 0 ? "" : word.substring(equals + 1);
    if (rates.put(name, number(arguments, name, number, most)) != null) {
      throw arguments.bad("option '" + OPTION + "': " + name + " is given twice");
    }
  }

  private static double number(Arguments arguments, String name, String typed, double most) {
    try {
      double number = Double.parseDouble(typed);
      if (number >= 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException ignored) {
      // said below, with what it should be
    }
    throw arguments.bad(
        String.format(
            Locale.ROOT,
            "option '%s': %s needs a number from 0 to %s, not '%s'",
            OPTION,
            name,
            most,
            typed));
  }

  /** As it is typed. */
  static String text(LossSettings settings) {
    StringBuilder text = new StringBuilder(settings.published() ? PUBLISHED : NONE);
    if (settings.failuresPerDay() > 0) {
      text.append(',').append(FAILURES).append('=').append(settings.failuresPerDay());
    }
    if (settings.evictedShare() > 0) {
      text.append(',').append(EVICTIONS).append('=').append(settings.evictedShare());
    }
    return text.toString();
  }
}
