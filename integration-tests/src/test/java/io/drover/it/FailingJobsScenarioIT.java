// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.history.AttemptRecord.Outcome;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.JobStream;
import io.drover.testbed.job.JobStream.JobEnd;
import io.drover.testbed.job.JobStream.StreamedJob;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The demo's scenario of a program that always fails, without a scheduler that predicts: {@link
 * FailurePredictionIT} has one.
 */
@ExtendWith(SharedCluster.class)
class FailingJobsScenarioIT {

  @Test
  void jobsOfTheStreamEndAsTheirProgramsDo(DroverCluster cluster) throws Exception {
    DemoJobSpec spec =
        DemoJobSpec.of(Scenario.FAILING_JOBS)
            .with()
            .jobs(5)
            .pace(Duration.ofSeconds(1), Duration.ofSeconds(1))
            .build();

    RunResult result =
        JobsUnderTest.succeeded(
            new JobRunner(cluster).run(spec, RunMode.STOCK, Map.of(), RunListener.NONE));

    JobStream stream = result.stream().orElseThrow();
    assertThat(stream.count(true, JobEnd.FAILED)).isEqualTo(2);
    assertThat(stream.count(false, JobEnd.SUCCEEDED)).isEqualTo(3);
    assertThat(stream.jobs())
        .extracting(StreamedJob::program)
        .containsExactly(
            "nightly-report", "log-import", "user-stats", "log-import", "nightly-report");
    assertThat(stream.machineTime(true)).isPositive();
    assertThat(result.attempts())
        .filteredOn(attempt -> attempt.outcome() == Outcome.FAILED)
        .hasSizeBetween(2 * 2, 2 * 4); // a map that fails twice ends its job
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
  }
}
