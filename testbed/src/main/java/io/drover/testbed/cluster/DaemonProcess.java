// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The process of a daemon, for the cluster that owns it. */
final class DaemonProcess {
  /** A Ctrl-C in the terminal must reach only the owner, which then ends its daemons in order. */
  private static final List<String> DEAF_TO_TERMINAL =
      List.of("/bin/sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh");

  private static final int TAIL_LINES = 30;

  private final String name;
  private final Path log;
  private final Process process;

  private DaemonProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts a JVM.
   *
   * @param name the daemon's name, for people
   * @param on words that start a command on the daemon's host
   * @param extra variables of its environment
   * @param directory the working directory, by which {@link Processes} finds the process
   * @param log the file for its output
   * @param java arguments for the java command
   */
  static DaemonProcess start(
      String name,
      List<String> on,
      Map<String, String> extra,
      Path directory,
      Path log,
      List<String> java)
      throws IOException {
    Files.createDirectories(directory);
    List<String> command = new ArrayList<>(DEAF_TO_TERMINAL);
    command.addAll(on);
    command.add(javaCommand().toString());
    command.addAll(java);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    Map<String, String> environment = builder.environment();
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("MALLOC_ARENA_MAX", "2");
    // Settings of another Hadoop must not leak in.
    environment.keySet().removeIf(key -> key.startsWith("HADOOP_") || key.startsWith("YARN_"));
    environment.keySet().removeAll(List.of("CLASSPATH", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    environment.putAll(extra);
    return new DaemonProcess(name, log, builder.start());
  }

  /** Returns the java command of this JVM. */
  static Path javaCommand() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  String name() {
    return name;
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  void kill() {
    process.destroyForcibly();
  }

  /**
   * Waits until the process has ended and this JVM knows it, which may be a moment later.
   *
   * @return its exit code
   * @throws IOException if it still runs at the end of the limit
   */
  int awaitEnd(Duration limit) throws IOException, InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException(name + " still runs after " + limit.toSeconds() + " s");
    }
    return process.exitValue();
  }

  /** Sends a line to its standard input. */
  void command(String line) throws IOException {
    OutputStream out = process.getOutputStream();
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** Returns the log's last lines; if there is an error, those from the last error on. */
  String tail() {
    try {
      List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
      return String.join("\n", last(lines));
    } catch (IOException e) {
      return "(its log cannot be read: " + e + ")";
    }
  }

  private static List<String> last(List<String> lines) {
    int from = Math.max(0, lines.size() - TAIL_LINES);
    for (int i = lines.size() - 1; i >= 0; i--) {
      if (lines.get(i).contains(" ERROR ") || lines.get(i).contains(" FATAL ")) {
        from = i;
        break;
      }
    }
    return lines.subList(from, Math.min(lines.size(), from + TAIL_LINES));
  }
}
