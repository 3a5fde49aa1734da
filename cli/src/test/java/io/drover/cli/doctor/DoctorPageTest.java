// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/doctor.md has all checks, and no others. */
class DoctorPageTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().getParent();

  private static final List<String> SOURCES =
      List.of(
          "cli/src/main/java/io/drover/cli/doctor",
          "appmaster/src/main/java/io/drover/appmaster/check",
          "scheduler/src/main/java/io/drover/scheduler/check");

  private static final String ID =
      "(?:parts|files|job|rm|queue|jar|heap|dir|cluster|clock|topology)\\.[a-z][a-z-]*";

  /** Ids are the first argument of a finding, whatever calls it. */
  private static final Pattern IN_SOURCE =
      Pattern.compile(
          "(?:Finding\\.(?:ok|warn|wrong)|wrong|unusable|mixed|namesOurs)\\(\\s*(?:isThere \\? )?"
              + "\"("
              + ID
              + ")\"(?:\\s*:\\s*\"("
              + ID
              + ")\")?");

  private static final Pattern IN_PAGE = Pattern.compile("`(" + ID + ")`");

  private static SortedSet<String> ofSources() throws IOException {
    SortedSet<String> ids = new TreeSet<>();
    for (String directory : SOURCES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          IN_SOURCE
              .matcher(Files.readString(file))
              .results()
              .flatMap(found -> Stream.of(found.group(1), found.group(2)))
              .filter(id -> id != null)
              .forEach(ids::add);
        }
      }
    }
    return ids;
  }

  private static SortedSet<String> ofPage() throws IOException {
    SortedSet<String> ids = new TreeSet<>();
    for (String line : Files.readAllLines(ROOT.resolve("docs/doctor.md"))) {
      if (line.startsWith("| `")) {
        String first = line.split("\\|")[1];
        IN_PAGE.matcher(first).results().forEach(found -> ids.add(found.group(1)));
      }
    }
    return ids;
  }

  @Test
  void pageHasTheChecksThatThereAre() throws IOException {
    assertThat(ofSources()).hasSizeGreaterThan(80);
    assertThat(ofPage()).isEqualTo(ofSources());
  }

  @Test
  void eachBrokenConfigurationIsAboutACheckOfThePage() throws IOException {
    for (String name : DoctorHome.broken()) {
      String id = DoctorHome.expected(name).get(0).replaceFirst("^\\w+ ", "");
      if (!id.endsWith(".failed")) {
        assertThat(ofPage()).as(name).contains(id);
      }
    }
  }
}
