// SPDX-License-Identifier: Apache-2.0
package io.drover.core.text;

import java.util.regex.Pattern;

/**
 * Handles texts that others have chosen, such as the names of jobs and the messages of tasks. They
 * may hold anything: half a character, or what controls a terminal.
 */
public final class ForeignText {
  /** Halves of characters. A pair of halves is one character, which this does not match. */
  private static final Pattern LONE_SURROGATES = Pattern.compile("\\p{Cs}");

  private static final String REPLACEMENT = "\ufffd";

  private ForeignText() {}

  /** Returns a text with U+FFFD for each half of a character, which no encoding can write. */
  public static String wellFormed(String text) {
    return LONE_SURROGATES.matcher(text).replaceAll(REPLACEMENT);
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
