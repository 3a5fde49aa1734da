// SPDX-License-Identifier: Apache-2.0
package io.drover.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.cluster.DroverCluster;
import io.drover.testbed.host.HostKind;
import io.drover.testbed.host.NamespaceNetwork;
import io.drover.testbed.job.DemoJobSpec;
import io.drover.testbed.job.JobRunner;
import io.drover.testbed.job.RunListener;
import io.drover.testbed.job.RunMode;
import io.drover.testbed.job.RunResult;
import io.drover.testbed.job.Scenario;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose hosts are network namespaces, where this machine allows it. */
class NamespacesIT {
  @TempDir private Path directory;

  @Test
  void jobsRunOnHostsWithANetworkOfTheirOwn() throws Exception {
    assumeThat(NamespaceNetwork.objection()).as("why there are no namespaces").isEmpty();
    DemoJobSpec spec =
        DemoJobSpec.of(Scenario.NONE)
            .with()
            .pace(Duration.ofSeconds(2), Duration.ofSeconds(1))
            .build();
    try (DroverCluster cluster =
        DroverCluster.builder()
            .hosts(HostKind.NAMESPACES)
            .workBase(directory)
            .start(StartListener.NONE)) {
      RunResult result =
          Jobs.succeeded(
              new JobRunner(cluster).run(spec, RunMode.STOCK, Map.of(), RunListener.NONE));
      assertThat(result.attempts()).hasSizeGreaterThanOrEqualTo(16);
      assertThat(cluster.awaitNoContainers(Duration.ofSeconds(60))).isEmpty();
    }
  }
}
