// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.cli.report.SampleJob.Attempt;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class HistoryPageTest {
  @Test
  void attemptsOfSlowTasksAreDrawnFirst() throws IOException {
    SampleJob job = new SampleJob(1);
    for (int map = 0; map < 3004; map++) {
      job.map(new Attempt("n" + map % 5, map, map + 20));
    }
    job.map(new Attempt("n7", 3100, 3200));

    JobReport report = new JobReport(job.analysis(), DecisionLogs.NONE);
    String page = HistoryPage.of(report, new LeftOut(false));

    assertThat(page)
        .contains("\"id\":\"attempt_1700000000000_0001_m_003004_0\"")
        .contains("\"id\":\"attempt_1700000000000_0001_m_002998_0\"")
        .doesNotContain("\"id\":\"attempt_1700000000000_0001_m_002999_0\"")
        .contains("\"attemptsLeftOut\":5,");
  }
}
