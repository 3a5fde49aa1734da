// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.testbed.host.HostKind;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cluster does before anything runs in it. {@code ClusterIT} has the rest. */
class DroverClusterTest {
  @TempDir private Path base;

  @Test
  void nothingIsLeftIfThereCanBeNoNetwork() {
    ClusterSpec spec = DroverCluster.builder().workBase(base).hosts(HostKind.NAMESPACES).build();
    String system = System.getProperty("os.name");
    System.setProperty("os.name", "none with namespaces");
    try {
      assertThatThrownBy(() -> DroverCluster.make(spec)).hasMessageContaining("need Linux");
    } finally {
      System.setProperty("os.name", system);
    }

    assertThat(base).isEmptyDirectory();
  }

  @Test
  void noDaemonStartsOnceTheClusterIsClosed() throws IOException, InterruptedException {
    DroverCluster cluster = DroverCluster.make(DroverCluster.builder().workBase(base).build());
    cluster.close();

    assertThatThrownBy(cluster::startMasters)
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("was closed");
    assertThat(base).isEmptyDirectory();
  }
}
