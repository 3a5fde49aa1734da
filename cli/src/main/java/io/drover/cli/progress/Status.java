// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.progress;

import io.drover.core.text.ForeignText;
import java.util.Locale;

/**
 * The progress of several runs, or of other steps.
 *
 * @param done number of finished steps
 * @param runs number of all steps
 * @param secondsDone seconds that the steps have taken so far
 * @param secondsLeft expected seconds until all steps are finished
 * @param now what is happening at the moment; may name what others have named
 */
public record Status(int done, int runs, double secondsDone, double secondsLeft, String now) {
  private static final int WIDEST_BAR = 30;
  private static final int NARROWEST_BAR = 8;
  private static final int WIDEST_TAIL = 40;

  /** Formats the steps done, a bar, the time left and {@code now} within {@code width} columns. */
  public String line(int width, boolean unicode) {
    double all = secondsDone + secondsLeft;
    double share = all <= 0 ? 1 : secondsDone / all;
    String head = String.format(Locale.ROOT, "%d/%d ", done, runs);
    String tail = " " + clock(secondsLeft) + " left  " + ForeignText.printable(now);
    int length = Math.min(WIDEST_BAR, width - head.length() - WIDEST_TAIL);
    String bar = length < NARROWEST_BAR ? "" : bar(share, length, unicode);
    String line = head + bar + tail;
    return line.length() <= width ? line : ForeignText.cut(line, Math.max(0, width));
  }

  private static String bar(double share, int length, boolean unicode) {
    int full = (int) Math.floor(share * length);
    return unicode
        ? "\u2588".repeat(full) + "\u2591".repeat(length - full)
        : "[" + "#".repeat(full) + ".".repeat(length - full) + "]";
  }

  /** Formats a time as minutes and seconds. */
  public static String clock(double seconds) {
    long whole = Math.round(seconds);
    return String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60);
  }
}
