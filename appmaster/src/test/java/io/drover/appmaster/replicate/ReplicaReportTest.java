// SPDX-License-Identifier: Apache-2.0
package io.drover.appmaster.replicate;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaReportTest {
  private static final TaskAttemptId OUTPUT =
      TypeConverter.toYarn(TaskAttemptID.forName("attempt_1400000000000_0001_m_000003_1"));

  @Test
  void whatIsWrittenIsRead() {
    ReplicaReport made = ReplicaReport.made(OUTPUT, 12_345_678_901L, 3.25);
    assertThat(ReplicaReport.read(made.line())).contains(made);
    ReplicaReport failed = ReplicaReport.failed(OUTPUT, "java.io.IOException: no\nspace left");
    assertThat(ReplicaReport.read(failed.line())).contains(failed);
  }

  @Test
  void longReasonIsCutOff() {
    String line = ReplicaReport.failed(OUTPUT, "x".repeat(100_000)).line();
    assertThat(line).hasSize(1_000);
    assertThat(ReplicaReport.read(line)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "made",
        "made attempt_1400000000000_0001_m_000003_1",
        "made attempt_1400000000000_0001_m_000003_1 -1 1.000",
        "made attempt_1400000000000_0001_m_000003_1 1 NaN",
        "made attempt_1400000000000_0001_m_000003_1 9999999999999999999 1.000",
        "made attempt_1400000000000_0001_r_000003_1 1 1.000",
        "made attempt_1400000000000_0001_m_99999999999_1 1 1.000",
        "made attempt_1400000000000_0001_m_000003_1 1 1.000 and more",
        "failed attempt_x why",
        "drover:fetches:1:"
      })
  void anythingElseIsNoReport(String line) {
    assertThat(ReplicaReport.read(line)).isEmpty();
  }
}
