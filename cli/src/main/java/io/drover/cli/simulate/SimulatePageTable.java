// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.text.PageTemplate;
import io.drover.cli.text.Spread;
import java.util.List;

/** The table of the page: the same columns as on a terminal. */
final class SimulatePageTable {
  private SimulatePageTable() {}

  static String of(SimulateResult result) {
    StringBuilder table = new StringBuilder("<table class=\"results\">\n<thead>\n");
    groups(table);
    heads(table);
    table.append("</thead>\n<tbody>\n");
    for (String scheme : result.options().schemes()) {
      row(table, result, scheme);
    }
    return table.append("</tbody>\n</table>\n").toString();
  }

  private static void groups(StringBuilder table) {
    table.append("<tr><td></td>");
    List<Column> columns = Column.ALL;
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

  private static void heads(StringBuilder table) {
    table.append("<tr><td></td>");
    for (int i = 0; i < Column.ALL.size(); i++) {
      table
          .append(beginsGroup(i) ? "<th class=\"first\" scope=\"col\">" : "<th scope=\"col\">")
          .append(PageTemplate.html(Column.ALL.get(i).head()))
          .append("</th>");
    }
    table.append("</tr>\n");
  }

  private static void row(StringBuilder table, SimulateResult result, String scheme) {
    String kind = scheme.equals("drover") ? "drover" : "";
    table
        .append("<tr class=\"")
        .append(SimulateWords.isIdeal(scheme) ? "ideal" : kind)
        .append("\"><th scope=\"row\">")
        .append(PageTemplate.html(scheme))
        .append("</th>");
    for (int i = 0; i < Column.ALL.size(); i++) {
      Column column = Column.ALL.get(i);
      table
          .append(beginsGroup(i) ? "<td class=\"first\">" : "<td>")
          .append(PageTemplate.html(column.median(result, scheme)))
          .append(range(result, scheme, column))
          .append("</td>");
    }
    table.append("</tr>\n");
  }

  private static String range(SimulateResult result, String scheme, Column column) {
    if (!result.isRepeated()) {
      return "";
    }
    String least = column.text(result, scheme, Spread::min);
    String most = column.text(result, scheme, Spread::max);
    return least.equals(most)
        ? ""
        : "<small>" + PageTemplate.html(least) + " to " + PageTemplate.html(most) + "</small>";
  }

  private static boolean beginsGroup(int column) {
    return column == 0
        || !Column.ALL.get(column).group().equals(Column.ALL.get(column - 1).group());
  }
}
