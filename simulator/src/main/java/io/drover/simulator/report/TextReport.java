// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import io.drover.simulator.report.SimulationReport.Table;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/** Shows a report on a terminal. */
public final class TextReport {
  /** The width that the title of a group needs. */
  private static final int NARROWEST_CELL = 5;

  private TextReport() {}

  /** Returns all lines, with an empty line at both ends. */
  public static String of(SimulationReport report) {
    List<String> lines = new ArrayList<>(List.of(""));
    lines.addAll(Text.hanging("", report.subject()));
    lines.add("");
    table(report.table(), lines);
    report.charts().ifPresent(charts -> findings(charts, lines));
    paragraph(report.conclusion(), lines);
    paragraph(report.legend(), lines);
    for (SimulationReport.Section section : report.sections()) {
      lines.add("");
      lines.add("  " + section.title() + ":");
      bullets(section.sentences(), lines);
    }
    lines.add("");
    String end = System.lineSeparator();
    return String.join(end, lines) + end;
  }

  private static void findings(SimulationReport.Charts charts, List<String> lines) {
    List<String> findings =
        charts.charts().stream()
            .map(SimulationReport.Chart::finding)
            .filter(f -> !f.isEmpty())
            .toList();
    if (!findings.isEmpty()) {
      lines.add("");
      bullets(findings, lines);
    }
  }

  private static void paragraph(String text, List<String> lines) {
    if (!text.isEmpty()) {
      lines.add("");
      lines.addAll(Text.hanging("  ", text));
    }
  }

  private static void bullets(List<String> sentences, List<String> lines) {
    sentences.forEach(sentence -> lines.addAll(Text.hanging("  - ", sentence)));
  }

  private static void table(Table table, List<String> lines) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(row("", table.columns(), Table.Column::head));
    table.rows().stream().filter(row -> !row.isHeading()).forEach(row -> add(table, row, rows));
    if (table.hasGroups()) {
      lines.add(groups(table, Text.widths(rows)));
    }
    Iterator<String> aligned = Text.align(rows).iterator();
    lines.add(aligned.next());
    for (Table.Row row : table.rows()) {
      if (row.isHeading()) {
        lines.add("  " + row.label());
      } else {
        for (int i = 0; i < (hasRangeRows(table, row) ? 3 : 1); i++) {
          lines.add(aligned.next());
        }
      }
    }
  }

  private static void add(Table table, Table.Row row, List<List<String>> rows) {
    String indent = table.rows().get(0).isHeading() ? "    " : "  ";
    rows.add(row(indent + row.label(), row.cells(), Table.Cell::text));
    if (hasRangeRows(table, row)) {
      rows.add(row("    least", row.cells(), cell -> range(cell, Table.Range::least)));
      rows.add(row("    greatest", row.cells(), cell -> range(cell, Table.Range::greatest)));
    }
  }

  private static boolean hasRangeRows(Table table, Table.Row row) {
    return table.hasRangeRows() && row.cells().stream().anyMatch(c -> c.range().isPresent());
  }

  private static String range(Table.Cell cell, Function<Table.Range, String> end) {
    return cell.range().map(end).orElse("");
  }

  private static <T> List<String> row(String label, List<T> cells, Function<T, String> text) {
    List<String> row = new ArrayList<>(List.of(label));
    for (T cell : cells) {
      String own = text.apply(cell);
      row.add(" ".repeat(Math.max(0, NARROWEST_CELL - own.length())) + own);
    }
    return row;
  }

  /** Returns the line above the heads. A group's title ends where its last column ends. */
  private static String groups(Table table, int[] widths) {
    StringBuilder line = new StringBuilder(" ".repeat(widths[0]));
    int room = 0;
    for (int i = 0; i < table.columns().size(); i++) {
      room += Text.GAP + widths[i + 1];
      if (table.endsGroup(i)) {
        String group = table.columns().get(i).group();
        line.append(" ".repeat(Math.max(1, room - group.length()))).append(group);
        room = 0;
      }
    }
    return line.toString();
  }
}
