// SPDX-License-Identifier: Apache-2.0
package io.drover.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DyingAppMasterTest {
  private static final String APPLICATION = "application_1_0001";

  @TempDir private Path directory;

  private boolean isCopied() throws IOException {
    List<Path> hosts = List.of(directory.resolve("n5"), directory.resolve("n6"));
    return DyingAppMaster.isCopied(hosts, APPLICATION);
  }

  private void output(String host, String application, String attempt) throws IOException {
    Files.createDirectories(
        directory
            .resolve(host)
            .resolve("usercache/ada/appcache")
            .resolve(application)
            .resolve("output")
            .resolve(attempt));
  }

  @Test
  void copyIsAnOutputOnASecondHost() throws IOException {
    assertThat(isCopied()).as("no host has run anything").isFalse();

    output("n5", APPLICATION, "attempt_1_0001_m_000004_0");
    output("n6", APPLICATION, "attempt_1_0001_m_000005_0");
    output("n6", "application_1_0002", "attempt_1_0001_m_000004_0");
    assertThat(isCopied()).as("each is where it was made").isFalse();

    output("n6", APPLICATION, "attempt_1_0001_m_000004_0");
    assertThat(isCopied()).isTrue();
  }
}
