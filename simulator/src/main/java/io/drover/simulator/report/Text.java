// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Numbers, lines and columns as text. */
public final class Text {
  /** Columns between two cells. */
  static final int GAP = 2;

  /** Stands for a number that is not known. */
  static final String UNKNOWN = "-";

  /** Columns of the usual terminal. */
  private static final int WIDTH = 80;

  private Text() {}

  /** {@code 34.1}; what rounds to nothing has no sign. */
  static String points(double share) {
    return String.format(Locale.ROOT, "%.1f", Math.round(share * 1000) / 10.0 + 0.0);
  }

  /** {@code 34.1 %}. */
  static String percent(double share) {
    return points(share) + " %";
  }

  /** {@code 3,000 machines}. */
  public static String count(long number, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : many);
  }

  /** To a millionth. */
  static double rounded(double value) {
    return Math.round(value * 1e6) / 1e6 + 0.0;
  }

  /** Text behind a head; further lines begin below its first word. A % stays with its number. */
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

  /** The widest cell of each column. */
  static int[] widths(List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return widths;
  }

  /** The first column to the left, the others to the right; all rows have as many cells. */
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
