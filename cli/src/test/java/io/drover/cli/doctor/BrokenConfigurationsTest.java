// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One thing is wrong in each of many configurations, and the doctor says that and nothing else. */
class BrokenConfigurationsTest {
  @TempDir private Path directory;
  private DoctorHome home;

  @BeforeEach
  void install() throws IOException {
    home = new DoctorHome(directory);
  }

  static List<String> broken() throws IOException {
    return DoctorHome.broken();
  }

  @Test
  void goodConfigurationIsGood() throws IOException {
    JsonNode report = home.examine(home.good(), "--offline");

    assertThat(DoctorHome.complaints(report)).isEmpty();
    assertThat(home.run(Map.of(), "--conf", home.good().toString(), "--offline")).isZero();
  }

  @ParameterizedTest
  @MethodSource("broken")
  void brokenOneIsNamedAndNothingElse(String name) throws IOException {
    List<String> expected = DoctorHome.expected(name);

    JsonNode report = home.examine(home.broken(name), "--offline");

    assertThat(DoctorHome.complaints(report))
        .singleElement()
        .asString()
        .startsWith(expected.get(0) + " ")
        .contains(expected.subList(1, expected.size()));
    for (JsonNode finding : report.path("findings")) {
      if (!finding.path("level").asText().equals("ok")) {
        assertThat(finding.path("advice").asText()).as("advice").isNotBlank();
      }
    }
  }

  @Test
  void thereAreManyOfThem() throws IOException {
    assertThat(broken()).hasSizeGreaterThan(80);
  }
}
