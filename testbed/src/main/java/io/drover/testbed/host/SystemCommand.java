// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs commands of the operating system. */
final class SystemCommand {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final List<String> ALSO = List.of("/usr/sbin", "/sbin"); // not on every PATH

  private SystemCommand() {}

  /** Returns where a command is, if it is on this machine. */
  static Optional<Path> find(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(Stream.of(path.split(":")), ALSO.stream())
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Returns where a command is.
   *
   * @throws IOException if it is not on this machine
   */
  static String require(String name) throws IOException {
    return find(name).orElseThrow(() -> new IOException("there is no " + name)).toString();
  }

  /**
   * Runs a command to its end.
   *
   * @return what it printed
   * @throws IOException if it fails, with what it printed
   */
  static String run(List<String> command) throws IOException {
    List<String> found = new ArrayList<>(command);
    found.set(0, require(command.get(0)));
    Process process = new ProcessBuilder(found).redirectErrorStream(true).start();
    process.getOutputStream().close();
    try {
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException(String.join(" ", command) + " still runs after " + LIMIT);
      }
      if (process.exitValue() != 0) {
        throw new IOException(String.join(" ", command) + ": " + printed.strip());
      }
      return printed;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted: " + String.join(" ", command), e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Runs a command whose words have no blanks. */
  static String run(String line) throws IOException {
    return run(List.of(line.split(" ")));
  }
}
