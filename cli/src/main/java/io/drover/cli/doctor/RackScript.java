// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import io.drover.core.check.Finding;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;

/**
 * Runs the topology script as Hadoop's {@code ScriptBasedMapping} does: with at most so many names
 * at once, and one word of output for each. Unlike Hadoop it says what went wrong, and gives up.
 */
final class RackScript {
  private static final String SCRIPT =
      CommonConfigurationKeysPublic.NET_TOPOLOGY_SCRIPT_FILE_NAME_KEY;
  private static final String ARGUMENTS =
      CommonConfigurationKeysPublic.NET_TOPOLOGY_SCRIPT_NUMBER_ARGS_KEY;

  /**
   * How long the script may take.
   *
   * @param noticeable for all names; from here on it delays the start of a job
   * @param most then a call is ended, and for all names together no further one is made
   */
  record Patience(Duration noticeable, Duration most) {
    static final Patience USUAL = new Patience(Duration.ofSeconds(1), Duration.ofSeconds(10));
  }

  private final Path script;
  private final int namesAtOnce;
  private final Patience patience;
  private Duration spent = Duration.ZERO;

  RackScript(Path script, int namesAtOnce, Patience patience) {
    this.script = script;
    this.namesAtOnce = namesAtOnce;
    this.patience = patience;
  }

  /**
   * Returns the rack of each name, or of the first ones if the script takes too long for all; empty
   * if it cannot be used.
   *
   * @param found is told why it cannot, or that it is slow
   */
  Optional<Map<String, String>> resolve(List<String> names, Consumer<Finding> found)
      throws IOException {
    Optional<Finding> obstacle = obstacle();
    Map<String, String> racks = new TreeMap<>();
    int asked = 0;
    while (asked < names.size() && obstacle.isEmpty() && spent.compareTo(patience.most()) < 0) {
      int next = Math.min(names.size(), asked + namesAtOnce);
      obstacle = call(names.subList(asked, next), racks);
      asked = next;
    }
    obstacle.ifPresent(found);
    if (obstacle.isEmpty() && spent.compareTo(patience.noticeable()) > 0) {
      found.accept(slow(asked, names.size()));
    }
    return obstacle.isPresent() ? Optional.empty() : Optional.of(racks);
  }

  /** An AppMaster, too, looks up all nodes that it hears of. */
  private Finding slow(int asked, int all) {
    String names =
        asked == all
            ? all + " names"
            : asked + " of " + all + " names, and was not run for the others";
    return Finding.warn(
        "topology.slow",
        String.format(
            Locale.ROOT,
            "%s %s takes %.1f s for %s (%s is %d)",
            SCRIPT,
            script,
            spent.toMillis() / 1e3,
            names,
            ARGUMENTS,
            namesAtOnce),
        "Make it faster, for example by a table that it only reads: each AppMaster runs it",
        SCRIPT,
        ARGUMENTS);
  }

  private Optional<Finding> obstacle() {
    if (namesAtOnce < 1) {
      return Optional.of(
          Finding.wrong(
              "topology.arguments",
              ARGUMENTS + " is " + namesAtOnce + ": the script is never run",
              "Set it to 1 or more; Hadoop's default is 100",
              ARGUMENTS));
    }
    if (!Files.isRegularFile(script) || !Files.isExecutable(script)) {
      String why = Files.exists(script) ? "cannot be executed" : "is not on this machine";
      return Optional.of(
          wrong("topology.script", why, "Copy it there, executable for all, on every machine"));
    }
    return Optional.empty();
  }

  private static Finding unusable(String check, String what, String advice) {
    return Finding.wrong(
        check, what + ": Hadoop puts all nodes into /default-rack", advice, SCRIPT);
  }

  private Finding wrong(String check, String why, String advice) {
    return unusable(check, SCRIPT + " is " + script + ", which " + why, advice);
  }

  /** Calls the script once. Its error output is not read, as by Hadoop. */
  private Optional<Finding> call(List<String> names, Map<String, String> racks) throws IOException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(names);
    Path output = Files.createTempFile("drover-doctor", ".racks");
    try {
      long began = System.nanoTime();
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(output.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.getOutputStream().close();
      if (!hasEnded(process)) {
        return Optional.of(
            wrong(
                "topology.slow",
                "has not ended after " + patience.most().toSeconds() + " s",
                "Make it faster: Hadoop waits for it without end"));
      }
      spent = spent.plusNanos(System.nanoTime() - began);
      if (process.exitValue() != 0) {
        return Optional.of(
            wrong(
                "topology.exit",
                "ends with exit code "
                    + process.exitValue()
                    + " for "
                    + ClusterChecks.some(names.stream()),
                "Let it print a rack for each name, also for names that it does not know, and end"
                    + " with 0"));
      }
      return read(names, Files.readString(output, StandardCharsets.UTF_8), racks);
    } finally {
      Files.delete(output);
    }
  }

  /** Waits for the script, and ends it if it takes too long. */
  private boolean hasEnded(Process process) throws InterruptedIOException {
    try {
      return process.waitFor(patience.most().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + script + " ran");
    } finally {
      if (process.isAlive()) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    }
  }

  private Optional<Finding> read(List<String> names, String text, Map<String, String> racks) {
    String[] words = text.isBlank() ? new String[0] : text.trim().split("\\s+");
    if (words.length != names.size()) {
      return Optional.of(
          wrong(
              "topology.lines",
              "prints "
                  + words.length
                  + " racks for "
                  + names.size()
                  + " names ("
                  + ClusterChecks.some(names.stream())
                  + ")",
              "Let it print one word for each of its arguments"));
    }
    for (int i = 0; i < words.length; i++) {
      racks.put(names.get(i), words[i]);
    }
    return Optional.empty();
  }
}
