// SPDX-License-Identifier: Apache-2.0
package io.drover.it.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The tarball of the release, unpacked as its users unpack it, in a directory with a space in its
 * name. It is there with the profile dist only.
 */
final class UnpackedRelease {
  /** What bin/drover may call besides Java and Hadoop, and Hadoop's script. There is no Maven. */
  private static final List<String> TOOLS =
      List.of("bash", "dirname", "env", "head", "readlink", "sed");

  private static final long LIMIT_SECONDS = 600;

  private final Path tarball;
  private final Path directory;
  private final Path tools;

  private UnpackedRelease(Path tarball, Path directory, Path tools) {
    this.tarball = tarball;
    this.directory = directory;
    this.tools = tools;
  }

  /** How a command ended. */
  record Ended(int code, String out, String err) {}

  /**
   * Unpacks the tarball below a directory. The tests of the calling class are skipped where there
   * is none.
   */
  static UnpackedRelease in(Path parent) throws IOException, InterruptedException {
    String name = System.getProperty("drover.release", "");
    assumeFalse(name.isEmpty(), "only a build with -Pdist makes and tests the tarball");
    Path tarball = Path.of(name);
    Path place = Files.createDirectories(parent.resolve("un packed"));
    Ended tar = run(place, Map.of(), "/bin/sh", "-c", "exec tar xzf \"$0\"", tarball.toString());
    assertThat(tar).isEqualTo(new Ended(0, "", ""));

    Path tools = Files.createDirectory(parent.resolve("tools"));
    for (String tool : TOOLS) {
      Files.createSymbolicLink(tools.resolve(tool), find(tool));
    }
    try (Stream<Path> unpacked = Files.list(place)) {
      return new UnpackedRelease(tarball, unpacked.toList().get(0), tools);
    }
  }

  Path tarball() {
    return tarball;
  }

  Path directory() {
    return directory;
  }

  /** Returns the only path on which {@link #drover} finds commands. */
  Path tools() {
    return tools;
  }

  /** Returns the names of all files, from the directory on. */
  List<String> files() throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      return walk.filter(Files::isRegularFile)
          .map(file -> directory.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  /** Returns its jars, by their names. */
  Map<String, Path> jars() throws IOException {
    Map<String, Path> jars = new TreeMap<>();
    for (String file : files()) {
      if (file.endsWith(".jar")) {
        Path jar = directory.resolve(file);
        jars.put(jar.getFileName().toString(), jar);
      }
    }
    return jars;
  }

  /** Runs bin/drover with nothing in the environment but what is given, and the tools' PATH. */
  Ended drover(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return drover(
        directory.getParent(), directory.resolve("bin/drover").toString(), environment, arguments);
  }

  /** Does the same for somebody who is in its directory. */
  Ended droverHere(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    return drover(directory, "bin/drover", environment, arguments);
  }

  private Ended drover(
      Path from, String script, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(script);
    command.addAll(List.of(arguments));
    Map<String, String> all = new TreeMap<>(Map.of("PATH", tools.toString()));
    all.putAll(environment);
    return run(from, all, command.toArray(String[]::new));
  }

  private static Ended run(Path directory, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("release", ".out");
    Path err = Files.createTempFile("release", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    if (!environment.isEmpty()) {
      builder.environment().clear();
      builder.environment().putAll(environment);
    }
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertThat(ended).as("the command ends: %s", String.join(" ", command)).isTrue();
      return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      process.destroyForcibly();
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static Path find(String tool) {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(directory -> Path.of(directory, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no " + tool + " on PATH"));
  }
}
