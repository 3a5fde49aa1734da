// SPDX-License-Identifier: Apache-2.0
package io.drover.channel;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Checks of messages: what another process says is believed only within bounds. Every error is an
 * {@link IllegalArgumentException} that names the value, what it is and what is allowed, fit to be
 * logged and shown: of a text from outside it holds printable characters only, and few.
 */
final class Validation {
  /** Characters of a name at most; as long as a host's name may be, and to spare. */
  static final int MAX_NAME = 255;

  /** Characters of a text for people at most. */
  static final int MAX_TEXT = 1_000;

  private static final int SHOWN = 40;

  /** What no host and no rack has in its name, and a page, a log line or JSON must not meet. */
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

  /** A number in [min, max]; NaN is in no range. */
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

  /** A number in (0, max], if there is one. */
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

  /** The name of a machine or a rack. */
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

  /** A text for people. */
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

  /** A text from outside as it may stand in a message. */
  static String shown(String text) {
    StringBuilder shown = new StringBuilder("'");
    text.chars().limit(SHOWN).forEach(c -> shown.append(c == ' ' || isGraphic(c) ? (char) c : '?'));
    return shown.append(text.length() > SHOWN ? "...'" : "'").toString();
  }

  private static boolean isGraphic(int c) {
    return c > ' ' && c < 0x7f;
  }
}
