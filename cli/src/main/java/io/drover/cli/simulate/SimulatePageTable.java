// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.text.PageTemplate;
import io.drover.cli.text.Spread;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The table of the page: the same columns as on a terminal. */
final class SimulatePageTable {
  private SimulatePageTable() {}

  static String of(SimulateResult result) {
    StringBuilder table = new StringBuilder(head(Column.ALL)).append("<tbody>\n");
    for (String scheme : result.options().schemes()) {
      row(table, result, scheme);
    }
    return table.append("</tbody>\n</table>\n").toString();
  }

  /** The table's beginning: a row of groups and one of columns. */
  static String head(List<Column> columns) {
    StringBuilder table = new StringBuilder("<table class=\"results\">\n<thead>\n");
    groups(table, columns);
    heads(table, columns);
    return table.append("</thead>\n").toString();
  }

  private static void groups(StringBuilder table, List<Column> columns) {
    table.append("<tr><td></td>");
    for (int i = 0; i < columns.size(); ) {
      String group = columns.get(i).group();
      int from = i;
      while (i < columns.size() && columns.get(i).group().equals(group)) {
        i++;
      }
      table
          .append("<th class=\"group first\" scope=\"colgroup\" colspan=\"")
          .append(i - from)
          .append("\">")
          .append(PageTemplate.html(group))
          .append("</th>");
    }
    table.append("</tr>\n");
  }

  private static void heads(StringBuilder table, List<Column> columns) {
    table.append("<tr><td></td>");
    for (int i = 0; i < columns.size(); i++) {
      table
          .append(
              beginsGroup(columns, i) ? "<th class=\"first\" scope=\"col\">" : "<th scope=\"col\">")
          .append(PageTemplate.html(columns.get(i).head()))
          .append("</th>");
    }
    table.append("</tr>\n");
  }

  private static void row(StringBuilder table, SimulateResult result, String scheme) {
    String kind = scheme.equals("drover") ? "drover" : "";
    table
        .append("<tr class=\"")
        .append(SimulationSummary.isIdeal(scheme) ? "ideal" : kind)
        .append("\"><th scope=\"row\">")
        .append(PageTemplate.html(scheme))
        .append("</th>")
        .append(cells(Column.ALL, figure -> result.spread(scheme, figure), result.isRepeated()))
        .append("</tr>\n");
  }

  /** The cells of a row: medians, and below them the ends of what several repeats gave. */
  static String cells(
      List<Column> columns, Function<Figure, Optional<Spread>> spreads, boolean repeated) {
    StringBuilder cells = new StringBuilder();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      cells
          .append(beginsGroup(columns, i) ? "<td class=\"first\">" : "<td>")
          .append(PageTemplate.html(column.median(spreads)))
          .append(repeated ? range(spreads, column) : "")
          .append("</td>");
    }
    return cells.toString();
  }

  private static String range(Function<Figure, Optional<Spread>> spreads, Column column) {
    String least = column.text(spreads, Spread::min);
    String most = column.text(spreads, Spread::max);
    return least.equals(most)
        ? ""
        : "<small>" + PageTemplate.html(least) + " to " + PageTemplate.html(most) + "</small>";
  }

  private static boolean beginsGroup(List<Column> columns, int column) {
    return column == 0 || !columns.get(column).group().equals(columns.get(column - 1).group());
  }
}
