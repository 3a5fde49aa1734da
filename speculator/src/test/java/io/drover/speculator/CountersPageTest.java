// SPDX-License-Identifier: Apache-2.0
package io.drover.speculator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;

/** Checks that the documentation lists all counters by their displayed names, and their number. */
class CountersPageTest {
  /** Surefire passes the module's directory. Tests run in a directory below it. */
  private static final Path DOCS =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().getParent().resolve("docs");

  /** Marks a counter that also exists under Hadoop's AppMaster. */
  private static final String MARK = "` * |";

  /** Returns the rows of the table of counters. */
  private static List<String> rows() throws IOException {
    String page = Files.readString(DOCS.resolve("estimation-and-restart.md"));
    String section = page.substring(page.indexOf("## Counters"));
    String table = section.substring(0, section.indexOf("\n## "));
    return table.lines().filter(line -> line.startsWith("| `")).toList();
  }

  @Test
  void eachCounterIsInTheTableByItsName() throws IOException {
    ResourceBundle names = ResourceBundle.getBundle(DroverCounter.class.getName());
    List<String> expected =
        Arrays.stream(DroverCounter.values())
            .map(counter -> "| `" + counter + "` | " + names.getString(counter + ".name") + " | ")
            .toList();
    assertThat(rows().stream().map(row -> row.replace(MARK, "` |")).toList())
        .hasSameSizeAs(expected)
        .zipSatisfy(expected, (row, begin) -> assertThat(row).startsWith(begin));
  }

  @Test
  void limitOfCountersIsSaidWithTheirNumber() throws IOException {
    long inHadoops = rows().stream().filter(row -> row.contains(MARK)).count();
    assertThat(Files.readString(DOCS.resolve("hadoop-settings.md")))
        .contains("its group of up to " + DroverCounter.values().length + " [counters]")
        .contains("in Hadoop's AppMaster adds up to " + inHadoops + " of them")
        .contains("within " + inHadoops + " of the limit");
  }
}
