// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

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
    String masked = NUMBERS.matcher(name).replaceAll("#");
    return masked.length() <= LONGEST ? masked : masked.substring(0, LONGEST);
  }
}
