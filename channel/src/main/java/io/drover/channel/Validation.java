// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Checks the values in messages from other processes. Every error is an {@link
 * IllegalArgumentException} that says which value is wrong, what it is and what is allowed. Errors
 * are safe to log and to show: they quote a few printable characters of a foreign text at most.
 */
final class Validation {
  /** The maximum length of a name, which no host name exceeds. */
  static final int MAX_NAME = 255;

  /** The maximum length of a text for people. */
  static final int MAX_TEXT = 1_000;

  private static final int SHOWN = 40;

  /** Characters that no host or rack name contains, and that could break a page, a log or JSON. */
  private static final String NOT_IN_NAMES = "\"'<>&\\`";

  private Validation() {}

  static long within(String what, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          what + " is " + value + "; allowed: " + min + " to " + max);
    }
    return value;
  }

  static int within(String what, int value, int min, int max) {
    return (int) within(what, (long) value, min, max);
  }

  /** Checks that a number is in [min, max]; NaN never is. */
  static double within(String what, double value, double min, double max) {
    if (!(value >= min && value <= max)) {
      throw new IllegalArgumentException(
          what + " is " + value + "; allowed: " + min + " to " + max);
    }
    return value;
  }

  static Duration within(String what, Duration value, Duration max) {
    if (value.isNegative() || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(what + " is " + value + "; allowed: PT0S to " + max);
    }
    return value;
  }

  /** Checks that a number, if present, is in (0, max]. */
  static OptionalDouble positive(String what, OptionalDouble value, double max) {
    value.ifPresent(
        number -> {
          if (!(number > 0 && number <= max)) {
            throw new IllegalArgumentException(
                what + " is " + number + "; allowed: above 0 up to " + max);
          }
        });
    return value;
  }

  static boolean isName(String value) {
    return !value.isEmpty()
        && value.length() <= MAX_NAME
        && value.chars().allMatch(c -> isGraphic(c) && NOT_IN_NAMES.indexOf(c) < 0);
  }

  /** Checks the name of a machine or a rack. */
  static String name(String what, String value) {
    if (!isName(value)) {
      throw new IllegalArgumentException(
          what
              + " is "
              + shown(value)
              + "; allowed: 1 to "
              + MAX_NAME
              + " ASCII characters without blanks, quotes, backslashes and <>&");
    }
    return value;
  }

  /** Checks a text for people. */
  static String text(String what, String value) {
    if (value.length() > MAX_TEXT || value.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          what
              + " is "
              + shown(value)
              + "; allowed: "
              + MAX_TEXT
              + " characters without control characters");
    }
    return value;
  }

  static <T> List<T> atMost(String what, List<T> values, int most) {
    size(what, values.size(), most);
    return List.copyOf(values);
  }

  static void size(String what, int size, int most) {
    if (size > most) {
      throw new IllegalArgumentException(
          what + " has " + size + " entries; allowed: at most " + most);
    }
  }

  /** Quotes a foreign text for a message: its first characters, unprintable ones as '?'. */
  static String shown(String text) {
    StringBuilder shown = new StringBuilder("'");
    text.chars().limit(SHOWN).forEach(c -> shown.append(c == ' ' || isGraphic(c) ? (char) c : '?'));
    return shown.append(text.length() > SHOWN ? "...'" : "'").toString();
  }

  private static boolean isGraphic(int c) {
    return c > ' ' && c < 0x7f;
  }
}
