// SPDX-License-Identifier: Apache-2.0
package io.drover.core.text;

import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Handles texts that others have chosen, such as the names of jobs and the messages of tasks. They
 * may hold anything: half a character, or what controls a terminal.
 */
public final class ForeignText {
  /** Halves of characters. A pair of halves is one character, which this does not match. */
  private static final Pattern LONE_SURROGATES = Pattern.compile("\\p{Cs}");

  /**
   * Characters that have no shape of their own, but change what stands around them: those that
   * control a terminal, the ASCII ones (U+001B) and the others (U+009B); those that turn the
   * direction of the text (U+202E); and those that end a line (U+2028).
   */
  private static final Pattern CONTROLS = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

  private static final String REPLACEMENT = "\ufffd";

  private ForeignText() {}

  /** Returns a text with U+FFFD for each half of a character, which no encoding can write. */
  public static String wellFormed(String text) {
    return LONE_SURROGATES.matcher(text).replaceAll(REPLACEMENT);
  }

  /**
   * Returns a text that can be shown in one line of a terminal or a page: with a space for each
   * character that would control it.
   */
  public static String printable(String text) {
    return CONTROLS.matcher(wellFormed(text)).replaceAll(" ");
  }

  /**
   * Returns JSON that is the same to programs and can be shown in a terminal: controls are written
   * by their numbers. It must be JSON of one line, which has controls in strings only.
   */
  public static String printableJson(String json) {
    return CONTROLS.matcher(wellFormed(json)).replaceAll(found -> numbered(found.group()));
  }

  /** Returns the number of each half of a character, as JSON and a replacement write it. */
  private static String numbered(String character) {
    return character
        .chars()
        .mapToObj(unit -> String.format(Locale.ROOT, "\\\\u%04x", unit))
        .collect(Collectors.joining());
  }

  /** Returns the beginning of a text: at most so many chars, and no half of a character. */
  public static String cut(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    boolean isWithinPair =
        longest > 0 && Character.isSurrogatePair(text.charAt(longest - 1), text.charAt(longest));
    return text.substring(0, isWithinPair ? longest - 1 : longest);
  }
}
