// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.speculator.DroverCounter;
import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.fault.FaultPlan;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Outputs on a host that has lost many are replicated by containers of the job, and reduces read
 * the replicas when the host loses them. The largest map goes on while replicas are made, and no
 * reduce begins before it has ended.
 */
class ReplicasIT {
  private static final String FLAKY = "n5";

  private static DroverCluster cluster;
  private static JobRunner runner;

  @BeforeAll
  static void start() throws Exception {
    cluster = DroverCluster.builder().droverScheduler().losingHost(FLAKY).start(StartListener.NONE);
    runner = new JobRunner(cluster);
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "lost-outputs:at=100%, false, false",
    "nm-death:at=100%, true, true",
  })
  void lostOutputsAreReadFromTheirReplicas(String fault, boolean isCompressed, boolean isEncrypted)
      throws Exception {
    DemoJobSpec spec =
        DemoJobSpec.of(Scenario.FLAKY_OUTPUTS)
            .with()
            .pace(Duration.ofSeconds(6), Duration.ofSeconds(1))
            .faults(List.of(FaultPlan.parse(fault)))
            .build();
    Map<String, String> conf = new HashMap<>();
    conf.put("mapreduce.map.output.compress", Boolean.toString(isCompressed));
    conf.put("mapreduce.job.encrypted-intermediate-data", Boolean.toString(isEncrypted));
    RunResult result =
        JobsUnderTest.succeeded(runner.run(spec, RunMode.DROVER, conf, RunListener.NONE));
    assertThat(result.output()).isEqualTo(runner.outputAlone(spec));
    assertThat(result.tally().failed()).isZero();
    assertThat(JobsUnderTest.lines(result, "replicaMade"))
        .as("%s", result.decisions())
        .isNotEmpty();
    assertThat(JobsUnderTest.lines(result, "replicaMade"))
        .allMatch(line -> line.contains("\"to\":\"n6\""));
    assertThat(JobsUnderTest.counter(result, DroverCounter.REPLICAS_USED)).isPositive();
    assertThat(JobsUnderTest.counter(result, DroverCounter.REPLICATED_BYTES)).isPositive();
    assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
  }
}
