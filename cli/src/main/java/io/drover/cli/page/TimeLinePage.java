// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.simulator.report.PageTemplate;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Builds an HTML page that loads nothing from outside. Its script draws the data, which the page
 * contains as JSON.
 */
public final class TimeLinePage {
  private TimeLinePage() {}

  /** A resource beside a class. */
  public record Part(Class<?> beside, String name) {}

  /**
   * Returns the text of a page.
   *
   * @param command the command that made it
   * @param headline the result in one sentence
   * @param lede what was looked at
   * @param styles style sheets besides the common one
   * @param scripts scripts besides those that draw time lines; the last one draws the page
   * @param data the data for the scripts
   * @throws IOException if a part cannot be read
   */
  public static String of(
      String command,
      String headline,
      String lede,
      List<Part> styles,
      List<Part> scripts,
      ObjectNode data)
      throws IOException {
    return PageTemplate.fill(
        own("page.html"),
        Map.of(
            "command", PageTemplate.html(command),
            "title", PageTemplate.html("Drover " + command + ": " + headline),
            "headline", PageTemplate.html(unbroken(headline)),
            "lede", PageTemplate.html(unbroken(lede)),
            "style", PageTemplate.style() + all(styles),
            "script", own("chart.js") + own("parts.js") + all(scripts),
            "data", PageTemplate.inScript(data)));
  }

  private static String own(String name) throws IOException {
    return PageTemplate.resource(TimeLinePage.class, name);
  }

  private static String all(List<Part> parts) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      text.append(PageTemplate.resource(part.beside(), part.name()));
    }
    return text.toString();
  }

  /** Puts no-break spaces before percent signs, so that no line of the page begins with one. */
  private static String unbroken(String text) {
    return text.replace(" %", "\u00a0%");
  }
}
