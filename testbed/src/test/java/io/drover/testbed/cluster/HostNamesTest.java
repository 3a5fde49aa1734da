// SPDX-License-Identifier: Apache-2.0
package io.drover.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drover.testbed.host.Host;
import java.util.List;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.Test;

class HostNamesTest {
  private static List<Host> hosts(String address) {
    return List.of(new Host("host-of-a-test", address, "/rack1"));
  }

  private static String meaning() {
    return NetUtils.getStaticResolution("host-of-a-test");
  }

  @Test
  void aNameMeansTheHostOfTheLatestClusterThatIsNotClosed() {
    List<Host> first = hosts("127.0.1.1");
    List<Host> second = hosts("127.0.2.1");
    HostNames.learn(first);
    HostNames.learn(second);
    assertThat(meaning()).isEqualTo("127.0.2.1");
    HostNames.forget(second);
    assertThat(meaning()).isEqualTo("127.0.1.1");
    HostNames.learn(second);
    HostNames.forget(first);
    assertThat(meaning()).isEqualTo("127.0.2.1");
    HostNames.forget(second);
  }
}
