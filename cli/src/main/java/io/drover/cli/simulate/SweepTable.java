// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.text.Columns;
import io.drover.cli.text.Lines;
import java.util.ArrayList;
import java.util.List;

/** What came of a sweep as a table for a terminal, with a sentence on each setting. */
final class SweepTable {
  private SweepTable() {}

  static String of(SweepResult result) {
    List<String> lines = new ArrayList<>(List.of("", SweepSummary.what(result), ""));
    lines.addAll(table(result));
    lines.add("");
    for (Swept swept : result.options().swept()) {
      lines.addAll(Lines.hanging("  - ", SweepSummary.verdict(result, swept)));
    }
    lines.add("");
    String summary = SweepSummary.summary(result);
    if (!summary.isEmpty()) {
      lines.addAll(Lines.hanging("  ", summary));
      lines.add("");
    }
    lines.addAll(Lines.hanging("  ", SweepSummary.legend(result)));
    lines.add("");
    result.scene().provenance().forEach(sentence -> lines.addAll(Lines.hanging("  - ", sentence)));
    lines.add("");
    String end = System.lineSeparator();
    return String.join(end, lines) + end;
  }

  /** Each setting's rows stand below its name; the columns of all of them in one line. */
  private static List<String> table(SweepResult result) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(SimulateTable.row("", Column.OF_A_SWEEP, Column::head));
    for (Swept swept : result.options().swept()) {
      for (String value : swept.values()) {
        rows.add(
            SimulateTable.row(
                "    " + value + (swept.isDefault(value) ? " *" : ""),
                Column.OF_A_SWEEP,
                column -> column.median(figure -> result.spread(swept, value, figure))));
      }
    }
    List<String> aligned = Columns.align(rows);
    List<String> lines = new ArrayList<>();
    lines.add(SimulateTable.groups(Columns.widths(rows), Column.OF_A_SWEEP));
    lines.add(aligned.get(0));
    int row = 1;
    for (Swept swept : result.options().swept()) {
      lines.add("  " + swept.name() + ": " + swept.key());
      lines.addAll(aligned.subList(row, row + swept.values().size()));
      row += swept.values().size();
    }
    return lines;
  }
}
