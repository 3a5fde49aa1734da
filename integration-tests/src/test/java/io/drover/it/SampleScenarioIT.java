// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.core.sampling.InputBlock.BlockLocality;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.SampleRun;
import io.drover.testbed.job.SampleRun.Read;
import io.drover.testbed.job.Scenario;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The demo's scenario of a job that needs a sample, as the demo runs it under Drover. */
@ExtendWith(SharedCluster.class)
class SampleScenarioIT {

  @Test
  void theSampleIsReadWhereTheOtherJobLeavesSlots(DroverCluster cluster) throws Exception {
    DemoJobSpec spec =
        DemoJobSpec.of(Scenario.SAMPLING)
            .with()
            .tasks(36, 1)
            .bytesPerMap(50_000, 0)
            .pace(Duration.ofSeconds(1), Duration.ofSeconds(1))
            .build();

    RunResult result =
        JobsUnderTest.succeeded(
            new JobRunner(cluster).run(spec, RunMode.DROVER, Map.of(), RunListener.NONE));

    SampleRun sample = result.sample().orElseThrow();
    assertThat(sample.held().values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(12);
    assertThat(sample.hosts()).hasSize(36);
    assertThat(sample.used()).hasSize(20).extracting(Read::block).doesNotHaveDuplicates();
    assertThat(sample.count(BlockLocality.MACHINE)).isGreaterThanOrEqualTo(17);
    assertThat(sample.maps()).isEqualTo(21);
    assertThat(sample.choice()).isPresent();
    assertThat(sample.longestWait()).isPresent();
    assertThat(result.shuffled()).isPresent();
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
  }
}
