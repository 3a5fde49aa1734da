// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.config.JobSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecisionLogsTest {
  private final Configuration conf = new Configuration(false);

  @TempDir private Path directory;

  private DecisionLogs read(String log) throws IOException {
    Files.writeString(directory.resolve("job_1_0001.jsonl"), log);
    return DecisionLogs.read(new org.apache.hadoop.fs.Path(directory.toUri()), "job_1_0001", conf);
  }

  @Test
  void emptySettingNamesNoDirectory() {
    assertThat(DecisionLogs.directory(conf)).isEmpty();
    conf.set(JobSettings.DECISION_LOG_DIR.key(), "");
    assertThat(DecisionLogs.directory(conf)).isEmpty();
    conf.set(JobSettings.DECISION_LOG_DIR.key(), " /drover/decisions ");
    assertThat(DecisionLogs.directory(conf))
        .contains(new org.apache.hadoop.fs.Path("/drover/decisions"));
  }

  @Test
  void onlyDecisionsToActAndRefusalsAreKept() throws IOException {
    DecisionLogs logs =
        read(
            """
            {"type":"report","time":1,"mode":"on","attempt":"a","progress":0.5}
            {"type":"attempt","time":2,"mode":"on","attempt":"a","state":"RUNNING"}
            {"type":"decision","time":3,"mode":"on","action":"LEAVE"}
            {"type":"decision","time":4,"mode":"on","action":"DUPLICATE"}
            {"type":"decision","time":5,"mode":"on","action":"DUPLICATE"}
            {"type":"refused","time":6,"mode":"on","action":"DUPLICATE"}
            """);

    assertThat(logs.entries())
        .extracting(line -> line.path("time").asInt())
        .containsExactly(4, 5, 6);
    assertThat(logs.count("DUPLICATE")).isEqualTo(1);
  }

  @Test
  void logWithoutADecisionIsOfDroverToo() throws IOException {
    DecisionLogs on = read("{\"type\":\"report\",\"time\":1,\"mode\":\"on\"}\n");
    assertThat(on.ran()).isTrue();
    assertThat(on.observed()).isFalse();

    DecisionLogs observed = read("{\"type\":\"report\",\"time\":1,\"mode\":\"observe\"}\n");
    assertThat(observed.ran()).isFalse();
    assertThat(observed.observed()).isTrue();
    assertThat(observed.isEmpty()).isFalse();

    assertThat(read("").isEmpty()).isTrue();
  }
}
