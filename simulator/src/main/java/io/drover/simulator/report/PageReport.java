// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import static io.drover.simulator.report.PageTemplate.html;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.drover.simulator.report.SimulationReport.Table;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Shows a report as one HTML page that loads nothing else. The page contains tables and sentences.
 * Its script draws charts, with uPlot, from JSON data in the page.
 */
public final class PageReport {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT);

  private PageReport() {}

  /**
   * Creates the page.
   *
   * @param madeBy the program and its version
   * @param at the time of creation
   */
  public static String of(SimulationReport report, String madeBy, Instant at) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("title", html("Drover " + report.command() + ": " + report.headline()));
    texts.put("command", html(report.command()));
    texts.put("headline", html(report.headline()));
    texts.put("subject", html(report.subject() + "."));
    texts.put("conclusion", html(report.conclusion()));
    texts.put("table", table(report.table()));
    texts.put("legend", html(report.legend()));
    String charts = report.charts().map(PageReport::charts).orElse("");
    boolean areFirst = report.charts().map(SimulationReport.Charts::areMany).orElse(false);
    texts.put("first", areFirst ? charts : "");
    texts.put("charts", areFirst ? "" : charts);
    texts.put("sections", sections(report.sections()));
    texts.put("settings", settings(report.settings()));
    texts.put("foot", html(madeBy + " · " + STAMP.format(at.atZone(ZoneOffset.UTC))));
    texts.put(
        "style", PageTemplate.style() + resource("uplot/uPlot.min.css") + resource("report.css"));
    texts.put("script", script(report));
    texts.put(
        "data",
        PageTemplate.inScript(
            report
                .charts()
                .map(SimulationReport.Charts::data)
                .orElse(JsonNodeFactory.instance.objectNode())));
    return PageTemplate.fill(resource("report.html"), texts);
  }

  private static String script(SimulationReport report) throws IOException {
    return report.charts().isEmpty()
        ? ""
        : resource("uplot/uPlot.iife.min.js")
            + resource("plots.js")
            + resource(report.charts().get().script());
  }

  private static String table(Table table) {
    if (table.rows().isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder("<table class=\"results\">\n<thead>\n");
    if (table.hasGroups()) {
      groups(table, text);
    }
    text.append("<tr><td></td>");
    for (int i = 0; i < table.columns().size(); i++) {
      text.append(opening("th scope=\"col\"", table.beginsGroup(i) ? "first" : ""))
          .append(html(table.columns().get(i).head()))
          .append("</th>");
    }
    text.append("</tr>\n</thead>\n<tbody>\n");
    table.rows().forEach(row -> row(table, row, text));
    return text.append("</tbody>\n</table>\n").toString();
  }

  private static void groups(Table table, StringBuilder text) {
    text.append("<tr><td></td>");
    int columns = 0;
    for (int i = 0; i < table.columns().size(); i++) {
      columns++;
      if (table.endsGroup(i)) {
        text.append("<th class=\"group first\" scope=\"colgroup\" colspan=\"")
            .append(columns)
            .append("\">")
            .append(html(table.columns().get(i).group()))
            .append("</th>");
        columns = 0;
      }
    }
    text.append("</tr>\n");
  }

  private static void row(Table table, Table.Row row, StringBuilder text) {
    if (row.isHeading()) {
      text.append("</tbody>\n<tbody>\n<tr><th class=\"heading\" scope=\"rowgroup\" colspan=\"")
          .append(1 + table.columns().size())
          .append("\">")
          .append(html(row.label()))
          .append("</th></tr>\n");
      return;
    }
    String style =
        row.style() == Table.Style.PLAIN ? "" : row.style().name().toLowerCase(Locale.ROOT);
    text.append(opening("tr", style))
        .append("<th scope=\"row\">")
        .append(html(row.label()))
        .append("</th>");
    for (int i = 0; i < row.cells().size(); i++) {
      Table.Cell cell = row.cells().get(i);
      text.append(opening("td", table.beginsGroup(i) ? "first" : ""))
          .append(html(cell.text()))
          .append(cell.range().map(PageReport::range).orElse(""))
          .append("</td>");
    }
    text.append("</tr>\n");
  }

  private static String range(Table.Range range) {
    return "<small>" + html(range.least()) + " to " + html(range.greatest()) + "</small>";
  }

  private static String opening(String element, String style) {
    return "<" + element + (style.isEmpty() ? "" : " class=\"" + style + "\"") + ">";
  }

  private static String charts(SimulationReport.Charts charts) {
    StringBuilder text = new StringBuilder("<section id=\"pictures\">\n<h2>");
    text.append(html(charts.title()))
        .append("</h2>\n<p class=\"lede\">")
        .append(html(charts.introduction()))
        .append("</p>\n<div id=\"switches\" role=\"group\" aria-label=\"What is shown\"></div>\n")
        .append("<noscript><p>The charts of this page need JavaScript, which this browser does")
        .append(" not run.</p></noscript>\n<div id=\"charts\"")
        .append(charts.areMany() ? " class=\"small\">\n" : ">\n");
    for (SimulationReport.Chart chart : charts.charts()) {
      text.append(opening("figure", chart.isMarked() ? "beaten" : ""))
          .append("<figcaption><h3>")
          .append(html(chart.title()))
          .append("</h3><p class=\"ylabel\">")
          .append(html(chart.note()))
          .append("</p></figcaption>\n<div class=\"plot\"></div>\n")
          .append(
              chart.finding().isEmpty()
                  ? ""
                  : "<p class=\"finding\">" + html(chart.finding()) + "</p>")
          .append("</figure>\n");
    }
    return text.append("</div>\n</section>\n").toString();
  }

  private static String sections(List<SimulationReport.Section> sections) {
    StringBuilder text = new StringBuilder();
    for (SimulationReport.Section section : sections) {
      text.append("<section>\n<h2>")
          .append(html(section.title()))
          .append("</h2>\n<ul class=\"facts\">\n");
      section
          .sentences()
          .forEach(sentence -> text.append("<li>").append(html(sentence)).append("</li>\n"));
      text.append("</ul>\n</section>\n");
    }
    return text.toString();
  }

  private static String settings(Map<String, String> settings) {
    StringBuilder rows = new StringBuilder();
    settings.forEach(
        (name, value) ->
            rows.append("<tr><th scope=\"row\">")
                .append(html(name))
                .append("</th><td class=\"text\">")
                .append(html(value))
                .append("</td></tr>\n"));
    return rows.toString();
  }

  private static String resource(String name) throws IOException {
    return PageTemplate.resource(PageReport.class, name);
  }
}
