// SPDX-License-Identifier: Apache-2.0
package io.drover.simulator.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Fills texts into an HTML template, and escapes text and JSON for HTML. */
public final class PageTemplate {
  private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z]+)}}");

  private PageTemplate() {}

  /** Replaces each placeholder once. A text that looks like a placeholder is left alone. */
  public static String fill(String template, Map<String, String> texts) {
    Matcher matcher = PLACE.matcher(template);
    StringBuilder page = new StringBuilder();
    while (matcher.find()) {
      String text = texts.get(matcher.group(1));
      if (text == null) {
        throw new IllegalStateException(
            "the template has an unknown placeholder: " + matcher.group());
      }
      matcher.appendReplacement(page, Matcher.quoteReplacement(text));
    }
    return matcher.appendTail(page).toString();
  }

  /** Escapes a text for HTML. */
  public static String html(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /**
   * Escapes JSON so that a script element can hold it with any strings. JSON has none of these
   * characters outside of strings, so replacing them everywhere keeps its meaning.
   */
  public static String inScript(ObjectNode json) {
    return json.toString()
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  /**
   * Returns the style sheet that all pages share.
   *
   * @throws IOException if it cannot be read
   */
  public static String style() throws IOException {
    return resource(PageTemplate.class, "page.css");
  }

  /**
   * Reads a part of a page from a resource beside a class.
   *
   * @throws IOException if it cannot be read
   */
  public static String resource(Class<?> beside, String name) throws IOException {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("a resource of the page is missing: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
