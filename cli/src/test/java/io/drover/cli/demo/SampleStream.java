// SPDX-License-Identifier: Apache-2.0
package io.drover.cli.demo;

import io.drover.testbed.job.JobStream;
import io.drover.testbed.job.JobStream.JobEnd;
import io.drover.testbed.job.JobStream.StreamedJob;
import io.drover.testbed.job.RunResult.OutputDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a stream of ten jobs may come to; four are of the program that fails. */
final class SampleStream {
  private SampleStream() {}

  /**
   * Returns a stream. Under Drover all failing jobs but the last one are ended.
   *
   * @param output what a job writes that succeeds
   */
  static JobStream of(boolean drover, OutputDigest output) {
    List<StreamedJob> jobs = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      boolean fails = i % 5 == 1 || i % 5 == 3;
      boolean isEnded = drover && fails && i < 8;
      int seconds = isEnded ? 9 : fails ? 30 : 15;
      jobs.add(
          new StreamedJob(
              "job_1767323045000_" + (100 + i),
              fails ? "log-import" : "user-stats",
              fails,
              isEnded ? JobEnd.ENDED : fails ? JobEnd.FAILED : JobEnd.SUCCEEDED,
              isEnded ? "KILLED" : fails ? "FAILED" : "SUCCEEDED",
              Duration.ofSeconds(4L * i),
              Duration.ofSeconds(4L * i + seconds),
              Duration.ofSeconds(3L * seconds),
              output));
    }
    return new JobStream(jobs);
  }
}
