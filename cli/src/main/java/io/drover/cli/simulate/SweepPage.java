// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.text.PageTemplate;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What came of a sweep as one HTML page that asks for nothing from outside: a picture and a
 * sentence for each setting, and a table of all figures. The pictures are drawn by its script, with
 * uPlot, from data that stand in it as JSON.
 */
final class SweepPage {
  private SweepPage() {}

  static String of(SweepResult result) throws IOException {
    String headline = SweepSummary.headline(result);
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("title", PageTemplate.html("Drover simulate --sweep: " + headline));
    texts.put("headline", PageTemplate.html(headline));
    texts.put("lede", PageTemplate.html(SweepSummary.what(result) + "."));
    texts.put("summary", PageTemplate.html(SweepSummary.summary(result)));
    texts.put("figures", figures(result));
    texts.put("table", result.isEmpty() ? "" : table(result));
    texts.put("legend", PageTemplate.html(SweepSummary.legend(result)));
    SimulatePage.frame(texts, result.options().common(), result.scene(), result.at(), "sweep.js");
    texts.put("data", PageTemplate.inScript(SweepPageData.of(result)));
    return PageTemplate.fill(SimulatePage.resource("sweep.html"), texts);
  }

  private static String figures(SweepResult result) {
    StringBuilder all = new StringBuilder();
    for (Swept swept : result.options().swept()) {
      boolean beaten = SweepVerdict.of(result, swept).beatenBy().isPresent();
      all.append("<figure")
          .append(beaten ? " class=\"beaten\"" : "")
          .append("><figcaption><h3>")
          .append(PageTemplate.html(swept.name()))
          .append("</h3><p class=\"ylabel\">")
          .append(PageTemplate.html(swept.key()))
          .append("</p></figcaption>\n<div class=\"plot\"></div>\n<p class=\"finding\">")
          .append(PageTemplate.html(SweepSummary.verdict(result, swept)))
          .append("</p></figure>\n");
    }
    return all.toString();
  }

  private static String table(SweepResult result) {
    List<Column> columns = Column.OF_A_SWEEP;
    StringBuilder table = new StringBuilder(SimulatePageTable.head(columns));
    for (Swept swept : result.options().swept()) {
      table
          .append("<tbody>\n<tr><th class=\"setting\" scope=\"rowgroup\" colspan=\"")
          .append(1 + columns.size())
          .append("\">")
          .append(PageTemplate.html(swept.name()))
          .append("</th></tr>\n");
      for (String value : swept.values()) {
        boolean usual = swept.isDefault(value);
        table
            .append(usual ? "<tr class=\"drover\">" : "<tr>")
            .append("<th scope=\"row\">")
            .append(PageTemplate.html(value + (usual ? " *" : "")))
            .append("</th>")
            .append(
                SimulatePageTable.cells(
                    columns, figure -> result.spread(swept, value, figure), result.isRepeated()))
            .append("</tr>\n");
      }
      table.append("</tbody>\n");
    }
    return table.append("</table>\n").toString();
  }
}
