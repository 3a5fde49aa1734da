// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.simulator.report.PageTemplate;
import java.io.IOException;
import java.util.Map;

/**
 * The result as one HTML page that asks for nothing from outside. The page's own script draws it
 * from data that stand in it as JSON.
 */
final class ReportPage {
  private ReportPage() {}

  static String of(DemoResult result) throws IOException {
    String headline = DemoSummary.headline(result);
    return PageTemplate.fill(
        resource("page.html"),
        Map.of(
            "title", PageTemplate.html("Drover demo: " + headline),
            "headline", PageTemplate.html(unbroken(headline)),
            "lede", PageTemplate.html(DemoSummary.lede(result)),
            "style", PageTemplate.style(),
            "script", resource("chart.js") + resource("ceiling.js") + resource("page.js"),
            "data", PageTemplate.inScript(ReportData.of(result))));
  }

  private static String resource(String name) throws IOException {
    return PageTemplate.resource(ReportPage.class, "report/" + name);
  }

  /** No line of the page begins with a percent sign. */
  private static String unbroken(String text) {
    return text.replace(" %", "\u00a0%");
  }
}
