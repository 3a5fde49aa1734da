// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The page that shows the {@link SchedulerStatus}: one file, with its style and its script in it.
 *
 * @param html what the browser gets
 * @param policy the Content-Security-Policy: that style and that script by their hashes, figures
 *     from where the page came from, and nothing else
 */
record DroverPage(String html, String policy) {
  /** The one there is. */
  static final DroverPage OF_THE_SCHEDULER = assembled();

  private static DroverPage assembled() {
    String style = resource("page.css");
    String script = resource("page.js");
    String html = resource("page.html").replace("{{style}}", style).replace("{{script}}", script);
    String policy =
        String.join(
            "; ",
            "default-src 'none'",
            "style-src " + hash(style),
            "script-src " + hash(script),
            "connect-src 'self'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'self'");
    return new DroverPage(html, policy);
  }

  private static String resource(String name) {
    try (InputStream in = DroverPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing in Drover's jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] hash = digest.digest(text.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
