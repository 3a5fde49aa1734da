// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.fault.FaultPlan;
import io.drover.testbed.host.HostKind;
import io.drover.testbed.host.NamespaceNetwork;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunListener.RunEvent;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose hosts are network namespaces, where this machine allows it. */
class NamespacesIT {
  @TempDir private Path directory;

  @Test
  void jobOvercomesAStarvedHostAndTwoFaultsThatPass() throws Exception {
    assumeThat(NamespaceNetwork.objection()).as("why there are no namespaces").isEmpty();
    DemoJobSpec spec =
        DemoJobSpec.of(Scenario.STARVED_HOST)
            .with()
            .pace(Duration.ofSeconds(2), Duration.ofSeconds(1))
            .faults(
                Stream.of(
                        "starved-host",
                        "slow-host-link:after=1s:for=4s:on=n3",
                        "cut-host:at=1%:for=3s:on=n4")
                    .map(FaultPlan::parse)
                    .toList())
            .build();
    try (DroverCluster cluster =
        DroverCluster.builder()
            .hosts(HostKind.NAMESPACES)
            .workBase(directory)
            .start(StartListener.NONE)) {
      JobRunner runner = new JobRunner(cluster);
      RunResult result =
          JobsUnderTest.succeeded(runner.run(spec, RunMode.DROVER, Map.of(), RunListener.NONE));
      assertThat(result.faultNode()).contains("n5");
      assertThat(result.events())
          .extracting(RunEvent::what)
          .contains(
              "n5 has 5 % of a core",
              "the link of n3 carries 4 Mbit/s",
              "slow-host-link on n3 is over",
              "the link of n4 is cut",
              "cut-host on n4 is over");
      assertThat(result.output()).isEqualTo(runner.outputAlone(spec));
      // Not to begin with: a JVM alone takes longer to start there than the job takes elsewhere.
      assertThat(result.attempts())
          .filteredOn(attempt -> attempt.node().equals("n5") && attempt.won())
          .hasSizeLessThan(2);
      assertThat(cluster.awaitNoContainers(JobsUnderTest.LIMIT)).isEmpty();
    }
  }
}
