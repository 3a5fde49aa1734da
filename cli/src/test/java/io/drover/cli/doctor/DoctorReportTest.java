// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.drover.core.check.Finding;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorReportTest {
  @TempDir private Path directory;

  @Test
  void namesThatDaemonsTellForgeNoLinesAndControlNoTerminal() throws IOException {
    Files.writeString(directory.resolve("core-site.xml"), "<configuration/>");
    String node = "\u001b[31mevil\nok   forged line\u009b2J\u202e";
    DoctorReport report = new DoctorReport("1", SiteFiles.read(directory), Set.of());
    report.add("Nodes", List.of(Finding.warn("node.silent", node + " is silent", "Ask " + node)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    report.print(new PrintStream(out, true, StandardCharsets.UTF_8));

    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .contains(
            "  warn    [31mevil ok   forged line 2J  is silent",
            "         Ask  [31mevil ok   forged line 2J  [node.silent]");
    assertThat(report.json()).doesNotContain("\u009b", "\u202e");
    assertThat(new ObjectMapper().readTree(report.json()).findValue("what").asText())
        .isEqualTo(node + " is silent");
  }
}
