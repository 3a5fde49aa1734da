// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.progress;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The stream that progress is shown on.
 *
 * @param err the stream
 * @param columns width of the terminal, or 0 if the stream is not a terminal
 * @param unicode whether the terminal shows block characters
 */
public record Terminal(PrintStream err, int columns, boolean unicode) {
  private static final Path STDERR = Path.of("/proc/self/fd/2");
  private static final File TTY = new File("/dev/tty");
  private static final int USUAL_COLUMNS = 80;
  private static final long PATIENCE_SECONDS = 2;

  /** Examines a stream. Only the process's own standard error can be a terminal. */
  public static Terminal of(PrintStream err) {
    return isTerminal(err)
        ? new Terminal(err, measure(), isUnicode())
        : new Terminal(err, 0, false);
  }

  /** Returns whether a bar can be drawn. Otherwise, progress is shown as lines. */
  public boolean hasBar() {
    return columns > 0;
  }

  private static boolean isTerminal(PrintStream err) {
    if (err != System.err || "dumb".equals(System.getenv("TERM"))) {
      return false;
    }
    try {
      String target = Files.readSymbolicLink(STDERR).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      return false; // lines are readable everywhere
    }
  }

  private static boolean isUnicode() {
    for (String name : List.of("LC_ALL", "LC_CTYPE", "LANG")) {
      String value = Objects.requireNonNullElse(System.getenv(name), "");
      if (!value.isEmpty()) {
        return value.toUpperCase(Locale.ROOT).replace("-", "").endsWith("UTF8");
      }
    }
    return false;
  }

  /** Returns the width that {@code stty} reports, or 80 columns if it reports none. */
  private static int measure() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(TTY)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      if (stty.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && stty.exitValue() == 0) {
        int columns = Integer.parseInt(size.strip().replaceFirst(".* ", ""));
        return columns > 0 ? columns : USUAL_COLUMNS;
      }
    } catch (IOException | NumberFormatException e) {
      return USUAL_COLUMNS;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return USUAL_COLUMNS;
  }
}
