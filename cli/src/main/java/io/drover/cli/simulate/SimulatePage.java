// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.simulate;

import io.drover.cli.command.Version;
import io.drover.cli.text.PageTemplate;
import io.drover.simulator.scheme.Schemes;
import io.drover.simulator.world.ClusterShape;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The result as one HTML page that asks for nothing from outside. Tables and sentences stand in it;
 * the distributions are drawn by its script, with uPlot, from data that stand in it as JSON.
 */
final class SimulatePage {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT);

  private SimulatePage() {}

  static String of(SimulateResult result) throws IOException {
    String headline = SimulationSummary.headline(result);
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("title", PageTemplate.html("Drover simulate: " + headline));
    texts.put("headline", PageTemplate.html(headline));
    texts.put("lede", PageTemplate.html(lede(result)));
    texts.put("verdict", PageTemplate.html(SimulationSummary.verdict(result)));
    texts.put("table", result.isEmpty() ? "" : SimulatePageTable.of(result));
    texts.put(
        "legend", PageTemplate.html(result.isEmpty() ? "" : SimulationSummary.legend(result)));
    frame(texts, result.options(), result.scene(), result.at(), "curves.js");
    texts.put("data", PageTemplate.inScript(SimulatePageData.of(result)));
    return PageTemplate.fill(resource("page.html"), texts);
  }

  /**
   * What the pages of all results have: what is real, the settings, styles and scripts.
   *
   * @param script of the page's own
   */
  static void frame(
      Map<String, String> texts,
      SimulateOptions options,
      SimulationSetup scene,
      Instant at,
      String script)
      throws IOException {
    texts.put("provenance", provenance(scene));
    texts.put("settings", settings(options, scene.shape()));
    texts.put("foot", PageTemplate.html("drover " + Version.text() + " · " + stamp(at)));
    texts.put(
        "style",
        resource("/io/drover/cli/demo/report/style.css")
            + resource("uplot/uPlot.min.css")
            + resource("simulate.css"));
    texts.put(
        "script", resource("uplot/uPlot.iife.min.js") + resource("plots.js") + resource(script));
  }

  private static String lede(SimulateResult result) {
    return SimulationSummary.what(result)
        + ". Every scheme had the same jobs and the same ill luck; all are compared with "
        + Schemes.BASELINE
        + ", which does nothing about outliers.";
  }

  private static String stamp(Instant at) {
    return STAMP.format(at.atZone(ZoneOffset.UTC));
  }

  private static String provenance(SimulationSetup scene) {
    StringBuilder list = new StringBuilder();
    for (String sentence : scene.provenance()) {
      list.append("<li>").append(PageTemplate.html(sentence)).append("</li>\n");
    }
    return list.toString();
  }

  private static String settings(SimulateOptions options, ClusterShape shape) {
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("--workload", options.workload().toString());
    rows.put("--slowness", options.slowness().toString());
    rows.put("--losses", LossesOption.text(options.losses()));
    rows.put("--schemes", String.join(",", options.schemes()));
    rows.put("--machines", String.valueOf(shape.machines()));
    rows.put("--slots", String.valueOf(shape.slotsPerMachine()));
    rows.put("--racks", String.valueOf(shape.racks()));
    if (options.workload().kind().equals("swim")) {
      rows.put("--hours", String.valueOf(options.hours()));
    }
    if (options.workload().kind().equals("synthetic")) {
      rows.put("--jobs", String.valueOf(options.jobs()));
    }
    options.inputs().ifPresent(inputs -> rows.put("--inputs", inputs.toString()));
    options.sampling().ifPresent(s -> rows.put("--sampled", s.toString()));
    rows.put("--seed", String.valueOf(options.seed()));
    rows.put("--repeat", String.valueOf(options.repeat()));
    options.settings().forEach((key, value) -> rows.put("--set " + key, value));
    StringBuilder table = new StringBuilder();
    rows.forEach(
        (name, value) ->
            table
                .append("<tr><th scope=\"row\">")
                .append(PageTemplate.html(name))
                .append("</th><td class=\"text\">")
                .append(PageTemplate.html(value))
                .append("</td></tr>\n"));
    return table.toString();
  }

  static String resource(String name) throws IOException {
    return PageTemplate.resource(SimulatePage.class, name);
  }
}
