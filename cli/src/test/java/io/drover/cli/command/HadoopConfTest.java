// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HadoopConfTest {
  @TempDir Path home;
  private Path own;

  @BeforeEach
  void write() throws IOException {
    own = home.resolve("own");
    fileSystem(own, "hdfs://own");
    fileSystem(home.resolve("etc/hadoop"), "hdfs://home");
  }

  private static void fileSystem(Path directory, String uri) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(
        directory.resolve("core-site.xml"),
        "<configuration><property><name>fs.defaultFS</name><value>%s</value></property></configuration>"
            .formatted(uri));
  }

  private static String fileSystem(Map<String, String> environment) {
    return HadoopConf.read(environment).get("fs.defaultFS");
  }

  @Test
  void directoryOfItsOwnComesBeforeThatOfTheDistribution() {
    assertThat(
            fileSystem(Map.of("HADOOP_CONF_DIR", own.toString(), "HADOOP_HOME", home.toString())))
        .isEqualTo("hdfs://own");
  }

  @Test
  void distributionsDirectoryWillDo() {
    assertThat(fileSystem(Map.of("HADOOP_CONF_DIR", " ", "HADOOP_HOME", home.toString())))
        .isEqualTo("hdfs://home");
  }

  @Test
  void withoutAnyThereAreHadoopsDefaults() {
    assertThat(fileSystem(Map.of())).isEqualTo("file:///");
    assertThat(fileSystem(Map.of("HADOOP_HOME", home.resolve("gone").toString())))
        .isEqualTo("file:///");
  }
}
