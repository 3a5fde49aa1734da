// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.text;

import java.util.ArrayList;
import java.util.List;

/** Sets the cells of a table one below the other. */
public final class Columns {
  /** Between two columns. */
  public static final int GAP = 2;

  private Columns() {}

  /** The widest cell of each column. */
  public static int[] widths(List<List<String>> rows) {
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
