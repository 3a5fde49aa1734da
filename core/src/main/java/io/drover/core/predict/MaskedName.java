// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import io.drover.core.text.ForeignText;
import java.util.regex.Pattern;

/**
 * Recognises the jobs of one program by their names. These differ in dates and counters mostly, so
 * numbers are masked.
 */
public final class MaskedName {
  private static final Pattern NUMBERS = Pattern.compile("\\d+");
  private static final int LONGEST = 100;

  private MaskedName() {}

  /** Returns a name with {@code #} for each number, cut off at {@value #LONGEST} characters. */
  public static String of(String name) {
    return ForeignText.cut(NUMBERS.matcher(name).replaceAll("#"), LONGEST);
  }
}
