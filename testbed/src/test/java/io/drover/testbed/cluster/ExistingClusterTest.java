// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drover.testbed.cluster.Cluster.StartListener;
import io.drover.testbed.host.Host;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ExistingClusterTest {
  private static List<Host> racks(int... hosts) {
    List<Host> all = new ArrayList<>();
    for (int rack = 0; rack < hosts.length; rack++) {
      for (int host = 0; host < hosts[rack]; host++) {
        String name = String.format("h%d-%03d", rack, host);
        all.add(0, new Host(name, name, "/rack" + rack));
      }
    }
    return all;
  }

  @Test
  void aSmallClusterIsUsedWholeRackByRack() {
    assertThat(ExistingCluster.someOf(racks(2, 1, 2)))
        .extracting(Host::name)
        .containsExactly("h0-000", "h0-001", "h1-000", "h2-000", "h2-001");
  }

  @Test
  void ofALargeClusterAFewHostsOfManyRacksAreUsed() {
    List<Host> some = ExistingCluster.someOf(racks(100, 1, 100));

    assertThat(some).hasSize(12);
    assertThat(some).filteredOn(host -> host.rack().equals("/rack0")).hasSize(6);
    assertThat(some).filteredOn(host -> host.rack().equals("/rack1")).hasSize(1);
    assertThat(ExistingCluster.someOf(racks(new int[300]))).isEmpty();
  }

  @Test
  void noClusterAndOneWithoutDroverAreRefused() {
    Configuration conf = new Configuration(false);
    assertThatThrownBy(() -> ExistingCluster.connect(conf, StartListener.NONE))
        .isInstanceOf(ClusterException.class)
        .hasMessage(
            "the cluster's file system is file:///, but it must be HDFS: set HADOOP_CONF_DIR to the"
                + " directory of a cluster's core-site.xml and yarn-site.xml");

    conf.set("fs.defaultFS", "hdfs://127.0.0.1:1"); // never contacted
    assertThatThrownBy(() -> ExistingCluster.connect(conf, StartListener.NONE))
        .isInstanceOf(ClusterException.class)
        .hasMessageStartingWith("Drover is not switched on in this cluster: add conf/");
  }
}
