// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryDirectoriesTest {
  private static final String JOB = "job_1700000000000_12345";
  private static final String FILE = JOB + "-1-ann-job-2-12-4-SUCCEEDED-default-1.jhist";

  @TempDir private java.nio.file.Path directory;
  private final Configuration conf = new Configuration(false);

  @BeforeEach
  void configure() {
    conf.set("fs.defaultFS", "file:///");
    conf.set("mapreduce.jobhistory.intermediate-done-dir", directory.resolve("new").toString());
    conf.set("mapreduce.jobhistory.done-dir", directory.resolve("done").toString());
  }

  private void write(String place) throws IOException {
    java.nio.file.Path file = directory.resolve(place).resolve(FILE);
    Files.createDirectories(file.getParent());
    Files.createFile(file);
  }

  private Optional<String> found() throws IOException {
    return HistoryDirectories.find(conf, JOB)
        .map(Path::getParent)
        .map(place -> directory.relativize(java.nio.file.Path.of(place.toUri().getPath())))
        .map(java.nio.file.Path::toString);
  }

  @Test
  void fileIsFoundWhereAppMastersPutItAndWhereTheServerMovesIt() throws IOException {
    assertThat(found()).isEmpty();

    write("done/2026/11/29/000012");
    assertThat(found()).contains("done/2026/11/29/000012");

    write("new/ann");
    assertThat(found()).contains("new/ann");
  }

  @Test
  void directoriesOfOtherJobsAreNotLookedInto() throws IOException {
    write("done/2026/11/29/000013");
    write("done/2026/11/29/000012/more");

    assertThat(found()).isEmpty();
  }
}
