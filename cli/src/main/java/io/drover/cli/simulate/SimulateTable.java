// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.text.Columns;
import io.drover.cli.text.Lines;
import io.drover.cli.text.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** The result as a table for a terminal, and what is to be known about it. */
final class SimulateTable {
  /** Columns narrower than this would leave no room for what stands above several. */
  private static final int NARROWEST = 5;

  private SimulateTable() {}

  static String of(SimulateResult result) {
    List<String> lines = new ArrayList<>(List.of("", SimulationSummary.what(result), ""));
    List<List<String>> rows = rows(result);
    lines.add(groups(Columns.widths(rows), Column.ALL));
    lines.addAll(Columns.align(rows));
    lines.add("");
    lines.addAll(Lines.hanging("  ", SimulationSummary.verdict(result)));
    lines.add("");
    lines.addAll(Lines.hanging("  ", SimulationSummary.legend(result)));
    lines.add("");
    result.scene().provenance().forEach(sentence -> lines.addAll(Lines.hanging("  - ", sentence)));
    lines.add("");
    String end = System.lineSeparator();
    return String.join(end, lines) + end;
  }

  private static List<List<String>> rows(SimulateResult result) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(row("", Column.ALL, Column::head));
    for (String scheme : result.options().schemes()) {
      Function<Figure, Optional<Spread>> spreads = figure -> result.spread(scheme, figure);
      rows.add(row("  " + scheme, Column.ALL, column -> column.median(spreads)));
      if (result.isRepeated()) {
        rows.add(row("    least", Column.ALL, column -> column.text(spreads, Spread::min)));
        rows.add(row("    greatest", Column.ALL, column -> column.text(spreads, Spread::max)));
      }
    }
    return rows;
  }

  /** A name, and a cell of each column. */
  static List<String> row(String name, List<Column> columns, Function<Column, String> cell) {
    List<String> row = new ArrayList<>(List.of(name));
    columns.forEach(
        column -> row.add(String.format(Locale.ROOT, "%" + NARROWEST + "s", cell.apply(column))));
    return row;
  }

  /** The line above the heads: each group ends where its last column ends. */
  static String groups(int[] widths, List<Column> columns) {
    StringBuilder line = new StringBuilder(" ".repeat(widths[0]));
    int width = 0;
    for (int i = 0; i < columns.size(); i++) {
      String group = columns.get(i).group();
      width += Columns.GAP + widths[i + 1];
      boolean last = i + 1 == columns.size() || !columns.get(i + 1).group().equals(group);
      if (last) {
        line.append(" ".repeat(Math.max(1, width - group.length()))).append(group);
        width = 0;
      }
    }
    return line.toString();
  }
}
