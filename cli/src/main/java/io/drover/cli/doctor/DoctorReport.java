// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drover.core.check.Finding;
import io.drover.core.check.Finding.Level;
import io.drover.core.text.ForeignText;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Help.Ansi;

/** Shows what the checks have found: as text for people, as one JSON object for programs. */
final class DoctorReport {
  /** Exit codes. A wrong argument has the last one too, but then there is no report. */
  private static final Map<Level, Integer> CODES =
      Map.of(Level.OK, 0, Level.WARN, 1, Level.WRONG, 2);

  private static final Map<Level, String> STYLES =
      Map.of(Level.OK, "green", Level.WARN, "yellow,bold", Level.WRONG, "red,bold");

  private static final String INDENT = " ".repeat(9);

  private final String version;
  private final SiteFiles files;
  private final Set<String> ignored;
  private final Map<String, List<Finding>> groups = new LinkedHashMap<>();

  /**
   * Creates an empty report.
   *
   * @param ignored ids of checks whose findings count as well
   */
  DoctorReport(String version, SiteFiles files, Set<String> ignored) {
    this.version = version;
    this.files = files;
    this.ignored = ignored;
  }

  /** Adds findings below a heading. */
  void add(String heading, List<Finding> findings) {
    groups.computeIfAbsent(heading, h -> new ArrayList<>()).addAll(findings);
  }

  private Level level(Finding finding) {
    return ignored.contains(finding.check()) ? Level.OK : finding.level();
  }

  private long count(Level level) {
    return groups.values().stream()
        .flatMap(List::stream)
        .filter(finding -> level(finding) == level)
        .count();
  }

  private Level worst() {
    return count(Level.WRONG) > 0 ? Level.WRONG : count(Level.WARN) > 0 ? Level.WARN : Level.OK;
  }

  /** Returns 0 if all is well, 1 if something is to be looked at, 2 if something is wrong. */
  int exitCode() {
    return CODES.get(worst());
  }

  private static String word(Level level) {
    return level.name().toLowerCase(Locale.ROOT);
  }

  // --- text

  /** Prints the report; in colours if the process's output is a terminal. */
  void print(PrintStream out) {
    out.println("drover doctor " + version + ": " + files.directory());
    groups.forEach(
        (heading, findings) -> {
          if (!findings.isEmpty()) {
            out.println();
            out.println(Ansi.AUTO.string("@|bold " + heading + "|@"));
            findings.forEach(finding -> print(finding, out));
          }
        });
    out.println();
    out.println(
        String.format(
            Locale.ROOT,
            "%d ok, %d warn, %d wrong: exit code %d",
            count(Level.OK),
            count(Level.WARN),
            count(Level.WRONG),
            exitCode()));
  }

  private void print(Finding finding, PrintStream out) {
    Level level = level(finding);
    String word = word(level);
    String coloured = Ansi.AUTO.string("@|" + STYLES.get(level) + " " + word + "|@");
    String sources = sources(finding);
    boolean isIgnored = level != finding.level();
    out.println(
        "  "
            + coloured
            + " ".repeat(INDENT.length() - 2 - word.length())
            + ForeignText.printable(finding.what())
            + (sources.isEmpty() ? "" : " (" + sources + ")"));
    if (finding.level() != Level.OK) {
      out.println(
          INDENT
              + (isIgnored ? "ignored" : ForeignText.printable(finding.advice()))
              + " ["
              + finding.check()
              + "]");
    }
  }

  /** Returns the files that set the keys of a finding. */
  private String sources(Finding finding) {
    Set<String> sources = new LinkedHashSet<>();
    for (String key : finding.keys()) {
      sources.add(files.source(key).orElse(files.value(key).isPresent() ? "Hadoop's default" : ""));
    }
    sources.remove("");
    return String.join(", ", sources);
  }

  // --- JSON

  /** Returns one JSON object. docs/doctor.md describes the keys. */
  String json() {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("version", version);
    root.put("conf", files.directory().toString());
    root.put("level", word(worst()));
    for (Level level : Level.values()) {
      root.put(word(level), count(level));
    }
    ArrayNode findings = root.putArray("findings");
    groups.forEach(
        (heading, group) -> group.forEach(finding -> put(findings.addObject(), heading, finding)));
    return ForeignText.printableJson(root.toString());
  }

  private void put(ObjectNode node, String heading, Finding finding) {
    node.put("group", heading);
    node.put("level", word(level(finding)));
    if (level(finding) != finding.level()) {
      node.put("ignored", word(finding.level()));
    }
    node.put("check", finding.check());
    node.put("what", finding.what());
    node.put("advice", finding.advice());
    ArrayNode keys = node.putArray("keys");
    for (String key : finding.keys()) {
      ObjectNode one = keys.addObject().put("key", key);
      files.value(key).ifPresent(value -> one.put("value", value));
      files.source(key).ifPresent(source -> one.put("file", source));
    }
  }
}
