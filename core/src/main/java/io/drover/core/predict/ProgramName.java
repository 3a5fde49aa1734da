// SPDX-License-Identifier: Apache-2.0
package io.drover.core.predict;

import java.util.regex.Pattern;

/**
 * Finds the program that a job runs by the job's name. Names of one program differ in dates and
 * counters mostly, so numbers are masked.
 */
public final class ProgramName {
  private static final Pattern NUMBERS = Pattern.compile("\\d+");
  private static final int LONGEST = 100;

  private ProgramName() {}

  /**
   * Returns a job's name with {@code #} for each number, cut off at {@value #LONGEST} characters.
   */
  public static String of(String jobName) {
    String masked = NUMBERS.matcher(jobName).replaceAll("#");
    return masked.length() <= LONGEST ? masked : masked.substring(0, LONGEST);
  }
}
