// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The result as one HTML page that asks for nothing from outside. The page's own script draws it
 * from data that stand in it as JSON.
 */
final class ReportPage {
  private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z]+)}}");

  private ReportPage() {}

  static String of(DemoResult result) throws IOException {
    String headline = Words.headline(result);
    return fill(
        resource("page.html"),
        Map.of(
            "title", html("Drover demo: " + headline),
            "headline", html(headline),
            "lede", html(Words.lede(result)),
            "style", resource("style.css"),
            "script", resource("chart.js") + resource("ceiling.js") + resource("page.js"),
            "data", inScript(ReportData.of(result))));
  }

  /** Puts each text in its place, once; what looks like a place in a text is left alone. */
  static String fill(String template, Map<String, String> texts) {
    Matcher matcher = PLACE.matcher(template);
    StringBuilder page = new StringBuilder();
    while (matcher.find()) {
      String text = texts.get(matcher.group(1));
      if (text == null) {
        throw new IllegalStateException("the template asks for " + matcher.group());
      }
      matcher.appendReplacement(page, Matcher.quoteReplacement(text));
    }
    return matcher.appendTail(page).toString();
  }

  /** Text as HTML. */
  static String html(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /**
   * JSON that can stand in a script element whatever its strings hold. Outside of strings JSON has
   * none of these characters, so that replacing them everywhere keeps its meaning.
   */
  static String inScript(ObjectNode json) {
    return json.toString()
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = ReportPage.class.getResourceAsStream("report/" + name)) {
      if (in == null) {
        throw new IOException("the page's template lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
