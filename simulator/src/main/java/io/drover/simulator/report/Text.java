// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats numbers, lines and columns as text. */
public final class Text {
  /** The number of spaces between two cells. */
  static final int GAP = 2;

  /** Stands for a number that is not known. */
  static final String UNKNOWN = "-";

  /** The width of a usual terminal, in characters. */
  private static final int WIDTH = 80;

  private Text() {}

  /** Formats a share in per cent as {@code 34.1}; a value that rounds to 0 has no sign. */
  static String points(double share) {
    return String.format(Locale.ROOT, "%.1f", Math.round(share * 1000) / 10.0 + 0.0);
  }

  /** Formats a share as {@code 34.1 %}. */
  static String percent(double share) {
    return points(share) + " %";
  }

  /** Formats a count as {@code 3,000 machines}. */
  public static String count(long number, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : many);
  }

  /** Rounds to a millionth. */
  static double rounded(double value) {
    return Math.round(value * 1e6) / 1e6 + 0.0;
  }

  /** Wraps a text after a head, with further lines indented by it. A % stays with its number. */
  public static List<String> hanging(String head, String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(head);
    for (String word : text.split(" (?!%)")) {
      boolean first = line.length() == head.length();
      if (!first && line.length() + 1 + word.length() > WIDTH) {
        lines.add(line.toString());
        line = new StringBuilder(" ".repeat(head.length()));
        first = true;
      }
      line.append(first ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  /** Returns the width of the widest cell of each column. */
  static int[] widths(List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return widths;
  }

  /** Aligns the first column to the left, the others to the right. All rows have as many cells. */
  public static List<String> align(List<List<String>> rows) {
    int[] widths = widths(rows);
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String gap = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? row.get(i) + gap : " ".repeat(GAP) + gap + row.get(i));
      }
      lines.add(line.toString());
    }
    return lines;
  }
}
