// SPDX-License-Identifier: Apache-2.0
package io.drover.scheduler.web;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Chromium or Chrome of this machine, without a window. None is downloaded: where there is
 * none, tests are skipped.
 */
final class InstalledBrowser implements AutoCloseable {
  /** How long a test waits for what the browser shows, on a busy machine. */
  static final int PATIENCE_MILLIS = 120_000;

  /** Where it is, if not on the path. */
  private static final String PROPERTY = "drover.browser";

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome");

  private final Playwright playwright;
  private final Browser browser;

  private InstalledBrowser(Path program) {
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(program)
                    .setArgs(List.of("--disable-quic", "--disable-background-networking")));
  }

  /** Starts it. */
  static InstalledBrowser start() {
    Optional<Path> program = find();
    assumeTrue(
        program.isPresent(),
        "no browser: none of " + NAMES + " is on the path; -D" + PROPERTY + " says where one is");
    return new InstalledBrowser(program.get());
  }

  private static Optional<Path> find() {
    String given = System.getProperty(PROPERTY);
    if (given != null) {
      return Optional.of(Path.of(given));
    }
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(dir -> NAMES.stream().map(name -> Path.of(dir, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  Browser browser() {
    return browser;
  }

  @Override
  public void close() {
    playwright.close();
  }
}
