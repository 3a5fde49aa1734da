// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.cli.doctor.DoctorCommand.Machine;
import io.drover.cli.doctor.DoctorCommand.Waits;
import io.drover.cli.doctor.RackScript.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * A machine on which Drover is installed, and its configuration: that of the directory {@code base}
 * among the resources, to whose files those of another directory may add.
 */
final class DoctorHome {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String END = "</configuration>";

  /** A busy machine takes seconds to start a script or to answer itself: that is no finding. */
  static final Patience LONG = new Patience(Duration.ofMinutes(1), Duration.ofMinutes(2));

  private static final Waits WAITS =
      new Waits(Duration.ofMinutes(1), Duration.ofMinutes(2), Duration.ofMinutes(2), LONG);

  private final Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Duration clockAhead = Duration.ZERO;

  /** Makes the files. The configuration finds them by a variable. */
  DoctorHome(Path home) throws IOException {
    this.home = home;
    System.setProperty("doctor.home", home.toString());
    permit(home, "rwxr-xr-x");
    jar("drover/drover.jar", "1.0");
    jar("other/drover.jar", "1.0");
    jar("old/drover.jar", "0.9");
    permit(jar("secret/drover.jar", "1.0"), "rw-------");
    Files.writeString(directory("broken", "rwxr-xr-x").resolve("drover.jar"), "PK, and no more");
    directory("empty", "rwxr-xr-x");
    directory("decisions", "rwxrwxrwx");
    directory("closed", "rwxr-xr-x");
    directory("private/decisions", "rwxrwxrwx");
    permit(home.resolve("private"), "rwx------");
    directory("statistics", "rwxr-x---");
    directory("other-statistics", "rwxr-x---");
    racks("racks", "/rack1", "/rack1", "/rack2");
    permit(racks("racks-plain", "/rack1", "/rack1", "/rack2"), "rw-r--r--");
    racks("racks-unresolved", "/rack1", "/rack2", "/default-rack");
    racks("racks-spelling", "/rack1", "/Rack1", "/rack2");
    racks("racks-slash", "/rack1", "/rack1/", "/rack2");
    racks("racks-depth", "/rack1", "/rack1", "/dc/rack2");
    racks("racks-no-slash", "rack1", "/rack1", "/rack2");
    script("racks-exit", "exit 3");
    script("racks-lines", "echo /rack1");
    Files.writeString(
        home.resolve("table"),
        "127.0.0.11 /rack1\n127.0.0.12 /rack1\n127.0.0.13 /rack2\n127.0.0.14\n");
  }

  Path resolve(String name) {
    return home.resolve(name);
  }

  private static void permit(Path file, String permissions) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private Path directory(String name, String permissions) throws IOException {
    Path directory = Files.createDirectories(home.resolve(name));
    permit(directory, permissions);
    return directory;
  }

  private Path jar(String name, String version) throws IOException {
    Path file = home.resolve(name);
    directory(home.relativize(file.getParent()).toString(), "rwxr-xr-x");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    try (OutputStream bytes = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
      jar.putNextEntry(new JarEntry("io/drover/appmaster/DroverAppMaster.class"));
    }
    permit(file, "rw-r--r--");
    return file;
  }

  /** Writes a script that knows 127.0.0.11, .12 and .13, and puts everything else with the last. */
  private Path racks(String name, String first, String second, String third) throws IOException {
    return script(
        name,
        "for n; do case $n in *.11) echo %s;; *.12) echo %s;; *) echo %s;; esac; done"
            .formatted(first, second, third));
  }

  Path script(String name, String command) throws IOException {
    Path file = Files.writeString(home.resolve(name), "#!/bin/sh\n" + command + "\n");
    permit(file, "rwxr-xr-x");
    return file;
  }

  // --- configuration

  private static Path resource(String name) throws IOException {
    try {
      return Path.of(DoctorHome.class.getResource(name).toURI());
    } catch (java.net.URISyntaxException e) {
      throw new IOException(e);
    }
  }

  /** Returns the names of the broken configurations. */
  static List<String> broken() throws IOException {
    try (Stream<Path> all = Files.list(resource("broken"))) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  /** Returns what is expected of a broken one: level and id, then the words of the finding. */
  static List<String> expected(String name) throws IOException {
    return Files.readAllLines(resource("broken").resolve(name).resolve("expected.txt"));
  }

  /** Writes the good configuration. */
  Path good() throws IOException {
    Path conf = Files.createDirectories(home.resolve("conf"));
    try (Stream<Path> files = Files.list(resource("base"))) {
      for (Path file : files.toList()) {
        Files.writeString(conf.resolve(file.getFileName()), Files.readString(file));
      }
    }
    return conf;
  }

  /** Writes the good configuration with what a broken one adds. An empty file removes one. */
  Path broken(String name) throws IOException {
    Path conf = good();
    try (Stream<Path> files = Files.list(resource("broken").resolve(name))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".xml")).toList()) {
        add(conf.resolve(file.getFileName()), Files.readString(file));
      }
    }
    return conf;
  }

  private static void add(Path file, String xml) throws IOException {
    if (xml.isEmpty()) {
      Files.delete(file);
      return;
    }
    String properties =
        xml.substring(xml.indexOf("<configuration>")).replace("<configuration>", "");
    String base = Files.readString(file);
    Files.writeString(file, base.replace(END, properties.replace(END, "") + END));
  }

  /** Adds a property to a file of the configuration. */
  DoctorHome set(String file, String key, String value) throws IOException {
    String property = "<property><name>" + key + "</name><value>" + value + "</value></property>";
    add(home.resolve("conf").resolve(file), "<configuration>" + property + END);
    return this;
  }

  // --- running

  /** Sets how much this machine's clock is ahead. */
  void clockAhead(Duration ahead) {
    clockAhead = ahead;
  }

  /** Runs the command; returns its exit code. */
  int run(Map<String, String> environment, String... arguments) {
    out.reset();
    err.reset();
    Machine machine =
        new Machine(
            environment, "17", () -> System.currentTimeMillis() + clockAhead.toMillis(), WAITS);
    PrintStream errors = stream(err);
    return DoctorCommand.commandLine(stream(out), errors, machine)
        .setErr(new PrintWriter(errors, true))
        .execute(arguments);
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** Runs it on a configuration and returns what it has found. */
  JsonNode examine(Path conf, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--conf", conf.toString(), "--json"));
    arguments.addAll(Arrays.asList(more));
    run(Map.of(), arguments.toArray(String[]::new));
    if (out().isEmpty()) {
      throw new AssertionError("no report: " + err());
    }
    return JSON.readTree(out());
  }

  /** Returns all that is not ok, as level, id and text. */
  static List<String> complaints(JsonNode report) {
    List<String> complaints = new ArrayList<>();
    for (JsonNode finding : report.path("findings")) {
      String level = finding.path("level").asText();
      if (!level.equals("ok")) {
        complaints.add(
            level + " " + finding.path("check").asText() + " " + finding.path("what").asText());
      }
    }
    return complaints;
  }
}
