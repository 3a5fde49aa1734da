// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.testbed.job.JobStream.JobEnd;
import io.drover.testbed.job.JobStream.StreamedJob;
import io.drover.testbed.job.RunResult.OutputDigest;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.util.Records;
import org.junit.jupiter.api.Test;

class JobStreamRunTest {
  private static final OutputDigest RIGHT = new OutputDigest("right", 10, 100);

  private static JobEnd end(
      YarnApplicationState state, FinalApplicationStatus status, String diagnostics) {
    ApplicationReport report = Records.newRecord(ApplicationReport.class);
    report.setYarnApplicationState(state);
    report.setFinalApplicationStatus(status);
    report.setDiagnostics(diagnostics);
    return JobStreamRun.end(report);
  }

  @Test
  void jobThatDroverEndedIsToldFromOneThatSomebodyElseKilled() {
    YarnApplicationState over = YarnApplicationState.FINISHED;
    FinalApplicationStatus killed = FinalApplicationStatus.KILLED;
    // FailurePredictionIT has these words from a ResourceManager
    assertThat(end(over, killed, "Drover expects this job to fail, because of: its user"))
        .isEqualTo(JobEnd.ENDED);
    assertThat(end(over, killed, "killed by its user")).isEqualTo(JobEnd.OTHER);
    assertThat(end(over, FinalApplicationStatus.FAILED, "")).isEqualTo(JobEnd.FAILED);
    assertThat(end(over, FinalApplicationStatus.SUCCEEDED, "")).isEqualTo(JobEnd.SUCCEEDED);
    assertThat(end(YarnApplicationState.KILLED, killed, "")).isEqualTo(JobEnd.OTHER);
    assertThat(end(YarnApplicationState.RUNNING, FinalApplicationStatus.UNDEFINED, "still at work"))
        .isEqualTo(JobEnd.OTHER);
  }

  private static StreamedJob job(boolean fails, JobEnd end, OutputDigest output) {
    Duration time = Duration.ofSeconds(1);
    return new StreamedJob("job_1_1", "p", fails, end, "", time, time, time, output);
  }

  @Test
  void onlyJobsOfTheProgramThatFailsMayBeEnded() {
    OutputDigest none = new OutputDigest("", 0, 0);
    assertThat(job(true, JobEnd.ENDED, none).isAsExpected(RIGHT)).isTrue();
    assertThat(job(true, JobEnd.FAILED, none).isAsExpected(RIGHT)).isTrue();
    assertThat(job(true, JobEnd.SUCCEEDED, RIGHT).isAsExpected(RIGHT)).isFalse();
    assertThat(job(false, JobEnd.SUCCEEDED, RIGHT).isAsExpected(RIGHT)).isTrue();
    assertThat(job(false, JobEnd.SUCCEEDED, none).isAsExpected(RIGHT)).isFalse();
    for (JobEnd end : List.of(JobEnd.ENDED, JobEnd.FAILED, JobEnd.OTHER)) {
      assertThat(job(false, end, none).isAsExpected(RIGHT)).isFalse();
    }
  }
}
