// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.testbed.host.Host;
import io.drover.testbed.host.LoopbackNetwork;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class RackTableTest {

  @Test
  void knowsHostsByNameAndByAddress() throws Exception {
    LoopbackNetwork network = LoopbackNetwork.pick(3, 2, 17, new SplittableRandom(1));
    Configuration conf = new Configuration(false);
    conf.set(RackTable.KEY, network.rackTable());
    RackTable table = new RackTable();
    table.setConf(conf);

    Host n3 = network.hosts().get(2);

    assertThat(n3.name()).isEqualTo("n3");
    assertThat(n3.rack()).isEqualTo("/rack2");
    assertThat(table.resolve(List.of("n1", n3.name(), n3.address(), "n6", "elsewhere")))
        .containsExactly("/rack1", "/rack2", "/rack2", "/rack3", "/default-rack");
  }
}
